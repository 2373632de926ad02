//! Small ladders of cheap bots.

use super::*;
use crate::arena::Progress;
use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn ladder(line: &str) -> anyhow::Result<(String, bool)> {
    let args = Cli::try_parse_from(format!("ladder {line}").split_whitespace())?.args;
    args.play(&Stop::new(), None, |_| Progress::silent())
}

/// The cells of a table's rows.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    lines.map(|line| line.split('|').map(str::trim).collect()).collect()
}

#[test]
fn cheap_bots_are_ranked() {
    let (table, complete) = ladder("--bots random,greedy,greedy:meeple=0 --pairs 3").unwrap();
    assert!(complete);
    let rows = rows(&table);
    assert_eq!(rows.len(), 10, "{table}");
    assert_eq!(rows[4][0], "random", "{table}");
    let anchor = rows.iter().find(|row| row[0] == "greedy").unwrap();
    assert_eq!(anchor[1..3], ["1000", "1000 … 1000"], "{table}");
    assert!(rows[4][1].parse::<i32>().unwrap() < 900, "{table}");
    // The margins of two against each other are opposite.
    let (up, down) = (rows[7][3], rows[9][1]);
    let [up, down] = [up, down].map(|cell| cell.split(' ').next().unwrap());
    assert_eq!(up.strip_prefix('+').unwrap(), down.strip_prefix('-').unwrap(), "{table}");
    assert!(table.contains("3 pairs a pairing, at most 1000 nodes a move, players=2"), "{table}");
}

#[test]
fn neighbours_only_and_resumed() {
    let dir = std::env::temp_dir().join(format!("bastide-ladder-{}", std::process::id()));
    let line = format!(
        "--bots random,greedy:meeple=0.5,greedy --neighbours --nodes 10 --state {} --pairs",
        dir.display()
    );
    ladder(&format!("{line} 1")).unwrap();
    let files = dir.join("table.md");
    let (resumed, _) = ladder(&format!("{line} 2 --out {}", files.display())).unwrap();
    let again = ladder(&format!("{line} 2")).unwrap().0;
    assert_eq!(std::fs::read_to_string(&files).unwrap(), resumed);
    std::fs::remove_dir_all(&dir).unwrap();
    // Nothing was played again: even the times are the same.
    assert_eq!(again, resumed);
    let empty = rows(&resumed)[5..].iter().flatten().filter(|cell| cell.is_empty()).count();
    assert_eq!(empty, 5, "three on the diagonal, two not played: {resumed}");
}

#[test]
fn lists_of_bots() {
    let split = |lists: &[&str]| {
        let lists: Vec<String> = lists.iter().map(|list| (*list).to_owned()).collect();
        split_bots(&lists).join(" ")
    };
    assert_eq!(split(&["random,greedy"]), "random greedy");
    assert_eq!(split(&["star:width=8,root=12,net", "best"]), "star:width=8,root=12 net best");
    assert_eq!(split(&["net", "cmd:./other a,b=1"]), "net cmd:./other a,b=1");
    assert_ne!(folder_name("a:b", "c"), folder_name("a_b", "c"));
}

#[test]
fn who_plays_whom() {
    let pairings = |line: &str| {
        let words = format!("ladder {line}");
        Cli::try_parse_from(words.split_whitespace()).unwrap().args.pairings(3)
    };
    assert_eq!(pairings(""), [(1, 0), (2, 0), (2, 1)]);
    assert_eq!(pairings("--neighbours"), [(1, 0), (2, 1)]);
    assert_eq!(pairings("--gauntlet"), [(0, 1), (0, 2)]);
}

#[test]
fn a_ladder_as_pages_has_its_tables_and_every_game() {
    let dir = std::env::temp_dir().join(format!("bastide-pages-{}", std::process::id()));
    let line =
        "--bots greedy,random,greedy:meeple=0 --gauntlet --pairs 2 --site http://[::1]:9/ --web";
    let (table, _) = ladder(&format!("{line} {}", dir.display())).unwrap();
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let index = read("index.html");
    for row in rows(&table).iter().filter(|row| !row[0].starts_with("--")) {
        for cell in row {
            assert!(index.contains(&format!(">{cell}</t")), "{cell} of {table} in {index}");
        }
    }
    let file = page::pairing_file("greedy", "random");
    assert!(index.contains(&format!("href=\"{file}\"")), "{index}");
    let games = read(&file);
    std::fs::remove_dir_all(&dir).unwrap();
    let links: Vec<&str> = games.split("href=\"http://[::1]:9/games#record=").skip(1).collect();
    assert_eq!(links.len(), 4, "{games}");
    assert!(links[0].starts_with("carcassonne%20players%3D2%20"), "{games}");
    assert!(links[1].contains("&amp;names=random,greedy\">1.2</a></td><td>random "), "{games}");
}

#[test]
fn bad_ladders_say_what_is_wrong() {
    let error = |line: &str| format!("{:#}", ladder(line).unwrap_err());
    assert!(error("--bots greedy").contains("two bots at least"));
    assert!(error("--bots greedy,random,greedy").contains("'greedy' is twice"));
    assert!(error("--bots greedy,gredy").contains("random, greedy"));
    assert!(error("--bots greedy,random --nodes 1,2").contains("same limit"));
    let by_cpu = "--bots greedy,best:threads=2 --movetime 1ms --clock cpu --pairs 1";
    assert!(error(by_cpu).contains("'best:threads=2' in --bots: --clock cpu is for"));
    for site in ["ftp://a", "https://", "http://a\"b", "javascript:alert(1)"] {
        assert!(error(&format!("--bots greedy,random --site {site}")).contains("--site"), "{site}");
    }
    assert!(error("--bots greedy,random --out /no/such/folder/x").contains("can't write /no/such"));
}
