//! The published figures: by enumeration here, by the building-layout identity in `count.rs`.

use game::Game;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tinytown::{
    Counts, Graph, Optimal, Setup, Solution, Space, TableError, Tinytown, without_progress,
};

fn setup(text: &str) -> Setup {
    text.parse().expect("a setup")
}

fn enumerate(text: &str) -> Counts {
    let space = Space::new(setup(text), u64::MAX, &mut without_progress).expect("it fits");
    Counts::by_enumeration(&space, &mut without_progress).expect("nobody stops it")
}

struct Row {
    setup: &'static str,
    counts: (usize, usize, usize),
    value: i32,
    uniform: f64,
    lengths: (usize, usize),
}

const TABLE: [Row; 7] = [
    row("1x1", (5, 4, 2), -1, -1.0, (2, 2)),
    row("2x2", (593, 942, 84), 1, -3.845703, (8, 20)),
    row("2x3", (14_849, 30_168, 1_284), 4, -5.643280, (12, 36)),
    row("3x2", (14_849, 30_168, 1_284), 4, -5.626408, (12, 36)),
    row("2x4", (345_653, 859_935, 18_004), 7, -7.386689, (16, 52)),
    row("3x3", (2_267_891, 5_932_591, 105_260), 10, -8.113555, (18, 61)),
    row("2x5", (7_871_201, 23_221_824, 245_284), 10, -9.088096, (20, 68)),
];

const fn row(
    setup: &'static str,
    counts: (usize, usize, usize),
    value: i32,
    uniform: f64,
    lengths: (usize, usize),
) -> Row {
    Row { setup, counts, value, uniform, lengths }
}

#[test]
fn graphs_have_the_published_sizes() {
    for Row { setup: text, counts, .. } in &TABLE {
        let graph = Graph::new(setup(text), u64::MAX, &mut without_progress).unwrap();
        let found = (graph.states(), graph.transitions(), graph.terminals());
        assert_eq!(found, *counts, "{text}");
        assert!(graph.starts().is_sorted());
        assert_eq!(graph.starts().len(), graph.states() + 1);
    }
}

#[test]
fn sweeps_give_the_published_values() {
    for row in &TABLE {
        let setup = setup(row.setup);
        let solution = Solution::new(setup, u64::MAX, &mut without_progress).unwrap();
        let start = Tinytown::new(&setup);
        assert_eq!(solution.value(&start), row.value, "{setup}");
        let uniform = solution.uniform_value(&start);
        assert!((uniform - row.uniform).abs() < 1e-6, "{setup}: {uniform}");
        assert_eq!(solution.lengths(&start), row.lengths, "{setup}");
    }
}

#[test]
fn the_older_variant_has_its_published_sizes() {
    let table = [
        ("2x2 older", (513, 862, 84)),
        ("2x3 older", (13_661, 28_980, 1_284)),
        ("3x2 older", (13_662, 28_981, 1_284)),
    ];
    for (text, counts) in table {
        let graph = Graph::new(setup(text), u64::MAX, &mut without_progress).unwrap();
        assert_eq!((graph.states(), graph.transitions(), graph.terminals()), counts, "{text}");
    }
}

#[test]
fn enumeration_and_identity_agree() {
    let grids = ["1x1", "1x6", "2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5"];
    for text in grids.iter().flat_map(|grid| [(*grid).to_owned(), format!("{grid} older")]) {
        let identity = Counts::of(setup(&text), &mut without_progress).unwrap();
        assert_eq!(enumerate(&text), identity, "{text}");
    }
}

#[test]
#[ignore = "299 million states, half a minute in a release build: make test-long"]
fn enumeration_of_3x4_gives_the_published_sizes() {
    let expected = Counts {
        layouts: 79_101,
        states: 298_896_641,
        transitions: 965_373_023,
        terminals: 7_197_020,
        ranks: 298_896_642,
    };
    assert_eq!(enumerate("3x4"), expected);
}

/// The graph by the rules alone: a breadth-first search over states, with a hash map.
#[test]
fn the_graph_is_the_one_that_the_rules_make() {
    for text in ["1x1", "2x2", "2x3", "3x2", "2x2 older", "2x3 older", "3x2 older", "2x4"] {
        let setup = setup(text);
        let graph = Graph::new(setup, u64::MAX, &mut without_progress).unwrap();
        let start = Tinytown::new(&setup);
        let mut ids = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut moves = Vec::new();
        let mut id = 0;
        while id < states.len() {
            let town = states[id];
            assert_eq!(graph.state(id as u32), town, "{text} {id}");
            assert_eq!(graph.id(&town), Some(id as u32));
            assert_eq!(graph.is_terminal(id as u32), town.is_over());
            town.moves(&mut moves);
            let edges: Vec<_> = graph.edges_of(id as u32).collect();
            assert_eq!(edges.len(), moves.len());
            for (action, edge) in moves.iter().zip(edges) {
                let mut then = town;
                let reward = then.step(*action).unwrap();
                let target = *ids.entry(then).or_insert_with(|| {
                    states.push(then);
                    states.len() - 1
                });
                assert_eq!(edge.target as usize, target);
                assert_eq!(graph.action(edge.action), *action);
                assert_eq!(i32::from(edge.reward), reward);
            }
            id += 1;
        }
        assert_eq!(graph.states(), states.len());
    }
}

#[test]
fn a_state_of_another_setup_has_no_id() {
    let graph = Graph::new(setup("2x2"), u64::MAX, &mut without_progress).unwrap();
    assert_eq!(graph.id(&Tinytown::new(&setup("2x3"))), None);
    assert_eq!(graph.id(&Tinytown::new(&setup("2x2 older"))), None);
}

#[test]
fn long_work_tells_where_it_is_and_can_be_stopped() {
    let setup = setup("2x5");
    let mut told = Vec::new();
    let graph = Graph::new(setup, u64::MAX, &mut |doing, done, total| {
        assert!(done <= total, "{doing} {done} of {total}");
        told.push((doing, done));
        if doing == "enumerating" && done > 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(graph.err(), Some(TableError::Stopped));
    assert_eq!(told.last().map(|(doing, _)| *doing), Some("enumerating"));
    let mut stop = |doing: &'static str, _, _| match doing {
        "solving" => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert_eq!(Solution::new(setup, u64::MAX, &mut stop).err(), Some(TableError::Stopped));
}

#[test]
#[ignore = "half a minute in a release build: make test-long"]
fn the_largest_grid_is_counted_and_played_perfectly() {
    let setup = setup("5x5");
    let counts = Counts::of(setup, &mut without_progress).unwrap();
    assert_eq!(counts.states, 435_483_148_200_294_167);
    let optimal = Optimal::new(setup, &mut without_progress).unwrap();
    let mut town = Tinytown::new(&setup);
    while let Some(action) = optimal.best_action(&town) {
        town.step(action).unwrap();
    }
    assert_eq!((town.points(), optimal.start_value()), (46, 46));
}
