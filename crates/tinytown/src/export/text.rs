//! The text formats: GraphML, GEXF, and CSV of edges and of states.

use super::WriteError;
use crate::progress::Progress;
use crate::{Edge, Graph, Solution};
use std::io::Write;

type Done = Result<(), WriteError>;

/// A line for each edge: `source,target,action,reward,name`.
pub(super) fn write_edges(graph: &Graph, out: &mut impl Write, progress: &mut Progress) -> Done {
    writeln!(out, "source,target,action,reward,name")?;
    let names = names(graph);
    for (done, edge) in graph.edges().enumerate() {
        now_and_then(progress, done, graph.transitions())?;
        // A name has commas between row and column, so it is quoted.
        writeln!(
            out,
            "{},{},{},{},\"{}\"",
            edge.source, edge.target, edge.action, edge.reward, names[edge.action as usize]
        )?;
    }
    Ok(())
}

/// A line for each state: `id,state,terminal` and its values.
pub(super) fn write_states(
    graph: &Graph,
    solution: Option<&Solution>,
    out: &mut impl Write,
    progress: &mut Progress,
) -> Done {
    let values = if solution.is_some() { ",value,uniform_value,shortest,longest" } else { "" };
    writeln!(out, "id,state,terminal{values}")?;
    for id in 0..graph.states() as u32 {
        now_and_then(progress, id as usize, graph.states())?;
        let (state, terminal) = (graph.state(id).line(), u8::from(graph.is_terminal(id)));
        write!(out, "{id},{state},{terminal}")?;
        if let Some(solution) = solution {
            let (value, uniform, shortest, longest) = solution.of_rank(graph.rank(id));
            write!(out, ",{value},{uniform},{shortest},{longest}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// GraphML: nodes with the state's text, edges with action and reward.
pub(super) fn write_graphml(
    graph: &Graph,
    solution: Option<&Solution>,
    out: &mut impl Write,
    progress: &mut Progress,
) -> Done {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#)?;
    let mut keys = vec![("node", "state", "string"), ("node", "terminal", "boolean")];
    if solution.is_some() {
        keys.extend([("node", "value", "int"), ("node", "uniform_value", "double")]);
        keys.extend([("node", "shortest", "int"), ("node", "longest", "int")]);
        keys.push(("edge", "optimal", "boolean"));
    }
    keys.extend([("edge", "action", "int"), ("edge", "reward", "int"), ("edge", "name", "string")]);
    for (of, name, kind) in keys {
        writeln!(out, r#"<key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>"#)?;
    }
    // An id of XML has no blanks.
    let id = format!("tinytown {}", graph.setup()).replace(' ', "-");
    writeln!(out, r#"<graph id="{id}" edgedefault="directed">"#)?;
    let total = graph.states() + graph.transitions();
    for id in 0..graph.states() as u32 {
        now_and_then(progress, id as usize, total)?;
        write!(out, r#"<node id="{id}"><data key="state">{}</data>"#, graph.state(id).line())?;
        write!(out, r#"<data key="terminal">{}</data>"#, graph.is_terminal(id))?;
        if let Some(solution) = solution {
            let (value, uniform, shortest, longest) = solution.of_rank(graph.rank(id));
            write!(out, r#"<data key="value">{value}</data>"#)?;
            write!(out, r#"<data key="uniform_value">{uniform}</data>"#)?;
            write!(out, r#"<data key="shortest">{shortest}</data>"#)?;
            write!(out, r#"<data key="longest">{longest}</data>"#)?;
        }
        writeln!(out, "</node>")?;
    }
    let names = names(graph);
    for (done, edge) in graph.edges().enumerate() {
        now_and_then(progress, graph.states() + done, total)?;
        write!(out, r#"<edge source="{}" target="{}">"#, edge.source, edge.target)?;
        write!(out, r#"<data key="action">{}</data>"#, edge.action)?;
        write!(out, r#"<data key="reward">{}</data>"#, edge.reward)?;
        if let Some(solution) = solution {
            write!(out, r#"<data key="optimal">{}</data>"#, is_optimal(graph, solution, edge))?;
        }
        writeln!(out, r#"<data key="name">{}</data></edge>"#, names[edge.action as usize])?;
    }
    writeln!(out, "</graph>\n</graphml>")?;
    Ok(())
}

/// GEXF 1.2: as GraphML, in Gephi's own words.
pub(super) fn write_gexf(
    graph: &Graph,
    solution: Option<&Solution>,
    out: &mut impl Write,
    progress: &mut Progress,
) -> Done {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">"#)?;
    writeln!(out, r#"<graph mode="static" defaultedgetype="directed">"#)?;
    writeln!(out, r#"<attributes class="node">"#)?;
    writeln!(out, r#"<attribute id="terminal" title="terminal" type="boolean"/>"#)?;
    if solution.is_some() {
        writeln!(out, r#"<attribute id="value" title="value" type="integer"/>"#)?;
        writeln!(out, r#"<attribute id="uniform_value" title="uniform_value" type="double"/>"#)?;
        writeln!(out, r#"<attribute id="shortest" title="shortest" type="integer"/>"#)?;
        writeln!(out, r#"<attribute id="longest" title="longest" type="integer"/>"#)?;
    }
    writeln!(out, "</attributes>\n<attributes class=\"edge\">")?;
    writeln!(out, r#"<attribute id="action" title="action" type="integer"/>"#)?;
    writeln!(out, r#"<attribute id="reward" title="reward" type="integer"/>"#)?;
    if solution.is_some() {
        writeln!(out, r#"<attribute id="optimal" title="optimal" type="boolean"/>"#)?;
    }
    writeln!(out, "</attributes>\n<nodes>")?;
    let total = graph.states() + graph.transitions();
    for id in 0..graph.states() as u32 {
        now_and_then(progress, id as usize, total)?;
        write!(out, r#"<node id="{id}" label="{}"><attvalues>"#, graph.state(id).line())?;
        let terminal = graph.is_terminal(id);
        write!(out, r#"<attvalue for="terminal" value="{terminal}"/>"#)?;
        if let Some(solution) = solution {
            let (value, uniform, shortest, longest) = solution.of_rank(graph.rank(id));
            write!(out, r#"<attvalue for="value" value="{value}"/>"#)?;
            write!(out, r#"<attvalue for="uniform_value" value="{uniform}"/>"#)?;
            write!(out, r#"<attvalue for="shortest" value="{shortest}"/>"#)?;
            write!(out, r#"<attvalue for="longest" value="{longest}"/>"#)?;
        }
        writeln!(out, "</attvalues></node>")?;
    }
    writeln!(out, "</nodes>\n<edges>")?;
    let names = names(graph);
    for (id, edge) in graph.edges().enumerate() {
        now_and_then(progress, graph.states() + id, total)?;
        write!(out, r#"<edge id="{id}" source="{}" target="{}""#, edge.source, edge.target)?;
        write!(out, r#" label="{}"><attvalues>"#, names[edge.action as usize])?;
        write!(out, r#"<attvalue for="action" value="{}"/>"#, edge.action)?;
        write!(out, r#"<attvalue for="reward" value="{}"/>"#, edge.reward)?;
        if let Some(solution) = solution {
            let optimal = is_optimal(graph, solution, edge);
            write!(out, r#"<attvalue for="optimal" value="{optimal}"/>"#)?;
        }
        writeln!(out, "</attvalues></edge>")?;
    }
    writeln!(out, "</edges>\n</graph>\n</gexf>")?;
    Ok(())
}

/// Whether an edge is one that perfect play may take.
fn is_optimal(graph: &Graph, solution: &Solution, edge: Edge) -> bool {
    let value = |id: u32| solution.of_rank(graph.rank(id)).0;
    value(edge.target) + edge.reward == value(edge.source)
}

/// Tells `progress` once in many items.
fn now_and_then(progress: &mut Progress, done: usize, total: usize) -> Done {
    if done.is_multiple_of(1 << 16) { super::tell(progress, done, total) } else { Ok(()) }
}

/// The text of each action by its number; none has a character that XML would mind.
fn names(graph: &Graph) -> Vec<String> {
    let count = crate::Action::count(graph.setup().size);
    (0..count).map(|number| graph.action(number as u8).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Format, write};
    use crate::{Graph, Solution, without_progress};
    use std::io::Cursor;

    fn text(setup: &str, format: Format, values: bool) -> String {
        let setup = setup.parse().unwrap();
        let graph = Graph::new(setup, u64::MAX, &mut without_progress).unwrap();
        let solution = Solution::new(setup, u64::MAX, &mut without_progress).unwrap();
        let mut out = Cursor::new(Vec::new());
        write(&graph, values.then_some(&solution), format, &mut out, &mut without_progress)
            .unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn the_smallest_graph_is_this_text() {
        assert_eq!(
            text("1x1", Format::EdgeCsv, false),
            "source,target,action,reward,name\n\
             0,1,0,0,\"brick 0,0\"\n0,2,1,0,\"glass 0,0\"\n1,3,2,-1,\"end\"\n2,4,2,-1,\"end\"\n"
        );
        assert_eq!(
            text("1x1", Format::StateCsv, true),
            "id,state,terminal,value,uniform_value,shortest,longest\n\
             0,. place,0,-1,-1,2,2\n1,b build,0,-1,-1,1,1\n2,g build,0,-1,-1,1,1\n\
             3,b place,1,0,0,0,0\n4,g place,1,0,0,0,0\n"
        );
        let graphml = text("1x1", Format::GraphMl, true);
        assert!(graphml.contains(
            "<node id=\"3\"><data key=\"state\">b place</data><data key=\"terminal\">true</data>\
             <data key=\"value\">0</data>"
        ));
        assert!(graphml.contains("<graph id=\"tinytown-1x1\" "));
        assert!(text("2x2 older", Format::GraphMl, false).contains("id=\"tinytown-2x2-older\""));
        assert!(graphml.contains("<data key=\"longest\">2</data></node>"));
        assert!(graphml.contains("<data key=\"optimal\">true</data>"));
        let gexf = text("2x2", Format::Gexf, true);
        for optimal in ["true", "false"] {
            assert!(gexf.contains(&format!("<attvalue for=\"optimal\" value=\"{optimal}\"/>")));
        }
        assert!(gexf.contains("<attvalue for=\"shortest\" value=\"8\"/>"));
        let gexf = text("1x1", Format::Gexf, false);
        assert!(gexf.contains("<edge id=\"2\" source=\"1\" target=\"3\" label=\"end\">"));
    }

    #[test]
    fn every_state_and_edge_is_written() {
        for (format, node, edge) in
            [(Format::GraphMl, "<node ", "<edge "), (Format::Gexf, "<node ", "<edge ")]
        {
            let text = text("2x2", format, true);
            assert_eq!(text.matches(node).count(), 593);
            assert_eq!(text.matches(edge).count(), 942);
            for tag in ["node", "edge", "graph", "data", "attvalues", "nodes", "edges"] {
                let opened = text.matches(&format!("<{tag} ")).count()
                    + text.matches(&format!("<{tag}>")).count();
                assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
            }
        }
        assert_eq!(text("2x2", Format::EdgeCsv, false).lines().count(), 943);
        assert_eq!(text("2x2", Format::StateCsv, false).lines().count(), 594);
    }
}
