//! The protocol by dialogue, and under fire.

use super::serve;
use game::Random;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Where a test's answers go.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Everything the engine answers to these lines.
fn answers(lines: &[u8]) -> String {
    let heard = Heard::default();
    serve(lines, heard.clone());
    String::from_utf8(heard.0.lock().unwrap().clone()).unwrap()
}

/// The closing lines of the answers.
fn closing(lines: &str) -> Vec<String> {
    let closes = |line: &&str| {
        ["ok", "error", "best", "readyok"].contains(&line.split(' ').next().unwrap_or_default())
    };
    answers(lines.as_bytes()).lines().filter(closes).map(str::to_owned).collect()
}

#[test]
fn a_game_is_set_up_and_played() {
    let told = closing("game carcassonne players=3\ndraw U\nplay 1,0 r0; road0\nundo 2\nundo\n");
    assert_eq!(told, ["ok chance", "ok player 0", "ok chance", "ok player 0", "ok chance"]);
}

#[test]
fn a_wrong_line_changes_nothing() {
    let play = "draw U\nplay 1,0 r0; city0\nplay 0,1 r0\nplay 1,0 rr\nplay\nundo 9\ngame chess\n\
                game carcassonne players=9\nrecord carcassonne; Z\nrecord [1,2]\ndraw V\nshow\n";
    let told = answers(play.as_bytes());
    let errors: Vec<&str> = told.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors.len(), 10, "{told}");
    assert!(errors[0].contains("move 2 'city0' is not legal: tile U has no city0"), "{told}");
    assert!(errors[1].contains("the south edge of U r0 shows field but city lies there"), "{told}");
    assert!(errors[4].contains("undo 9: only 1 moves have been played"), "{told}");
    assert!(
        errors[5].contains("no game is called 'chess'; known: carcassonne, tinytown"),
        "{told}"
    );
    assert!(errors[9].contains("it is not chance's turn to draw: player 0"), "{told}");
    assert!(told.contains("ply: 1\nturn: player 0\n"), "{told}");
    assert!(told.contains("\ntile: U\n"), "{told}");
}

#[test]
fn moves_without_a_semicolon_between_them_are_told_apart() {
    let told = closing("play U 1,0 r0 road0\nplay U; 1,0 r0 road0\nplay U 1,0\n");
    assert_eq!(
        told[0],
        "error 'U 1,0 r0 road0' is 3 moves; put ';' between them: U; 1,0 r0; road0"
    );
    assert_eq!(
        told[1],
        "error move 2 '1,0 r0 road0' is 2 moves; put ';' between them: 1,0 r0; road0"
    );
    // Half of it is no move.
    assert!(told[2].starts_with("error 'U 1,0': expected a "), "{told:?}");
    let words = "U ".repeat(50_000);
    let told = closing(&format!("play {words}\nplay {}\n", "1,0 ".repeat(50_000)));
    assert!(told[0].contains(" is 50000 moves; put ';' between them: U; U; "), "{}", told[0]);
    assert!(told.iter().all(|line| line.len() < 1_000), "{}", told[0].len());
}

#[test]
fn a_move_that_cannot_be_read_is_numbered() {
    let told =
        closing("draw U\nplay 1,0 r0; city\nplay north; pass\nplay north\nplay city0; pass\n");
    assert!(told[1].starts_with("error move 2 'city': expected a drawn tile"), "{told:?}");
    assert!(told[2].starts_with("error move 1 'north': expected a drawn tile"), "{told:?}");
    assert!(told[3].starts_with("error 'north': expected a drawn tile"), "{told:?}");
    assert!(told[4].starts_with("error move 1 'city0' is not legal: "), "{told:?}");
}

#[test]
fn turns_are_refused_where_no_player_is_to_move() {
    assert_eq!(closing("turns\n"), ["error no player is to move: chance draws first"]);
    let over = format!("game carcassonne board=1x1\n{}turns\n", "draw\n".repeat(71));
    let told = closing(&over);
    assert_eq!(
        told.last().map(String::as_str),
        Some("error no player is to move: the game is over")
    );
}

#[test]
fn what_an_arena_tells_is_understood() {
    let told = closing(
        "seat 1\nresult scores 91 64\nresult scores 0 -3 forfeit 1\nseat 2\nseat\nseat one\nresult\n\
         result scores 1\nresult scores a b\nresult scores 1 2 forfeit 2\n",
    );
    assert_eq!(told[..3], ["ok", "ok", "ok"]);
    let seats = "error seat: a number from 0 to 1, found ";
    assert_eq!(told[3..6], ["'2'", "''", "'one'"].map(|found| format!("{seats}{found}")));
    for wrong in &told[6..] {
        let expected = "error expected 'result scores' with a number for each of the 2 seats, and \
                        'forfeit SEAT' if a seat gave up";
        assert_eq!(wrong, expected);
    }
    assert_eq!(told.len(), 10);
}

#[test]
fn a_record_comes_in_every_form() {
    let shown = "carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4; \
                 U; 1,0 r0; road0";
    for record in [
        "record carcassonne; U; 1,0 r0; road0",
        "record carcassonne players=2; U; 1,0 r0; road0 # a comment",
        "record\n# a comment\ncarcassonne players=2\n\nU; 1,0 r0\nroad0\nend",
        r#"record [{"tile":"D","rotation":0,"position":[0,0]},{},{"tile":"U","rotation":0,"position":[1,0]},{"meeple":0,"spot":"road0"}]"#,
    ] {
        let told = answers(format!("{record}\nshow\n").as_bytes());
        assert!(told.starts_with("ok chance\n"), "{record}: {told}");
        assert!(told.contains(&format!("record: {shown}\n")), "{record}: {told}");
    }
    // A record that never ends is not taken, and does not keep the engine from ending.
    let error = "error the record was not taken: the input ended before its line 'end'\n";
    assert_eq!(answers(b"record\ncarcassonne\nU"), error);
}

#[test]
fn a_record_with_a_wrong_line_is_refused_as_a_whole() {
    let lines = b"draw E\nrecord\ncarcassonne\nU; 1,0 r0; road0\n\xff\nV\nend\nshow\n";
    let told = answers(lines);
    let error = "error the record was not taken: the line is not UTF-8 text\n";
    assert!(told.starts_with(&format!("drew E\nok player 0\n{error}game: ")), "{told}");
    assert!(told.contains("ply: 1\n") && told.contains("\ntile: E\n"), "{told}");
    let long = format!("record\ncarcassonne\n{}end\n", "U\n".repeat(200_000));
    assert_eq!(closing(&long), ["error the record was not taken: it is longer than 256 KiB"]);
    let empty = closing("record\n# nothing\nend\n");
    assert!(empty[0].starts_with("error the record is empty; it starts with "), "{empty:?}");
    // A comment before the game is no part of it, whatever it holds.
    assert_eq!(closing("record\n# a; b\ncarcassonne players=3; U\nend\n"), ["ok player 0"]);
}

#[test]
fn a_search_answers_with_a_legal_turn() {
    for bot in ["greedy", "net", "random", "shepherd", "mcts", "best"] {
        let told = answers(format!("draw V\ngo nodes 60 bot {bot}\nwait\n").as_bytes());
        let best = told.lines().find_map(|line| line.strip_prefix("best ")).expect(&told);
        let told = closing(&format!("draw V\nplay {best}\n"));
        assert_eq!(told, ["ok player 0", "ok chance"], "{bot}: {best}");
    }
    let told = closing("go\n");
    assert_eq!(told, ["error no player is to move: chance draws first"]);
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let told = |seed| {
        let lines = format!("set seed {seed}\ndraw\ngo nodes 200 bot mcts\nwait\n");
        answers(lines.as_bytes()).lines().filter(|l| !l.starts_with("info")).collect::<String>()
    };
    assert_eq!(told(5), told(5));
}

/// The last answer of mcts, who throws dice, after these lines.
fn last_of_mcts(lines: &str) -> String {
    let told = answers(format!("draw V\nset bot mcts\n{lines}go nodes 100\nwait\n").as_bytes());
    let lines: Vec<&str> = told.lines().collect();
    let info = lines.iter().rfind(|line| line.starts_with("info")).expect(&told);
    info.split(" margins ").nth(1).expect("values").to_owned()
}

#[test]
fn a_search_that_is_refused_does_not_change_the_next_one() {
    let expected = last_of_mcts("go nodes 100\nwait\n");
    for wrong in ["go bot nobody", "go depth 3", "go nodes 5 bot puct depth 3", "set seed x"] {
        let lines = format!("go nodes 100\nwait\n{wrong}\n");
        assert_eq!(last_of_mcts(&lines), expected, "{wrong}");
    }
}

#[test]
fn a_seed_that_is_set_again_gives_the_same_answer_again() {
    let once = last_of_mcts("set seed 5\n");
    assert_eq!(last_of_mcts("set seed 5\ngo nodes 100\nwait\nset seed 5\n"), once);
    assert_ne!(last_of_mcts("set seed 5\ngo nodes 100\nwait\n"), once);
}

#[test]
fn a_limit_that_would_never_end_a_search_is_refused() {
    let depth = " knows no limit of depth; allowed: movetime T, nodes N";
    for bot in ["mcts", "puct", "best:search=puct"] {
        let told = closing(&format!("draw V\ngo depth 2 bot {bot}\n"));
        assert_eq!(told[1], format!("error {bot}{depth}"));
    }
    let told = closing("draw V\ngo depth 1 bot star\nwait\n");
    assert!(told[1].starts_with("best "), "{told:?}");
    // Nobody could be heard while such a search is waited for.
    let told = closing("draw V\ngo infinite bot mcts\nwait\nisready\nstop\nwait\n");
    assert!(told[1].starts_with("error the search has no limits"), "{told:?}");
    assert_eq!(told[2], "readyok");
    assert_eq!(told.last().map(String::as_str), Some("ok"));
}

#[test]
fn bots_that_think_on_one_thread_do_so_whatever_is_set() {
    for lines in ["draw V\nset bot greedy\n", "draw V\nset bot shepherd\n", "game tinytown 2x2\n"] {
        let told = closing(&format!("set threads 3\n{lines}go nodes 20\nwait\n"));
        assert!(told[told.len() - 2].starts_with("best "), "{told:?}");
    }
    let told = closing("draw V\ngo nodes 50 threads 2 bot best:tied=x\n");
    assert!(told[1].contains("tied=x is no value for it"), "{told:?}");
}

#[test]
fn an_analysis_tells_its_lines() {
    let told = answers(b"draw V\nanalyse top 3 nodes 300 bot net\nwait\n");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].starts_with("line 1 margin "), "{told}");
    let best = told.lines().find_map(|line| line.strip_prefix("best ")).expect(&told);
    assert!(lines[0].ends_with(&format!("turn {best}")), "{told}");
}

#[test]
fn nothing_changes_while_a_search_runs() {
    let told = closing(
        "draw V\ngo infinite bot mcts\nisready\nplay 1,0 r0\nset seed 3\nstop\nwait\nundo\n",
    );
    assert_eq!(told[0], "ok player 0");
    assert_eq!(told[1], "readyok");
    assert!(told[2].starts_with("error a search or review is running"), "{told:?}");
    assert!(told[3].starts_with("error a search or review is running"), "{told:?}");
    let mut rest = told[4..].to_vec();
    rest.sort();
    assert!(rest[0].starts_with("best "), "{told:?}");
    assert_eq!(rest[1..], ["ok", "ok", "ok chance"]);
    // The end of the input ends a search too, and it still answers.
    assert!(closing("draw V\ngo infinite bot mcts\n")[1].starts_with("best "));
}

#[test]
fn another_game_is_hosted_by_the_same_words() {
    let told = answers(b"game tinytown 2x2\ngo\nwait\nplay brick 0,0\nmoves\nshow\nset bot best\n");
    assert!(told.starts_with("ok player 0\n"), "{told}");
    assert!(told.contains("\nbest "), "{told}");
    assert!(told.contains("\ngame: tinytown\n"), "{told}");
    assert!(told.contains("is called 'best'; known: optimal, mcts, random"), "{told}");
}

#[test]
fn a_bot_that_prepares_itself_is_stopped_too() {
    let told = answers(b"game tinytown 5x5\ngo infinite bot optimal\nstop\nwait\nisready\n");
    assert!(told.contains(" exact no ") && told.contains("\nbest "), "{told}");
}

#[test]
fn when_the_game_is_over_nobody_is_to_move() {
    // On this board no tile but the first ever fits.
    let lines = format!("game carcassonne board=1x1\n{}show\n", "draw\n".repeat(71));
    let told = answers(lines.as_bytes());
    assert!(told.contains("\nphase: game_over\nplayer: none\ntile: none\n"), "{told}");
}

#[test]
fn hostile_parameters_are_refused() {
    for bot in [
        "best:threads=99999999999",
        "mcts:c=1,c=2",
        "net:file=/dev/zero",
        "net:file=/",
        "best:x",
        ":",
        "\u{1F3F0}",
    ] {
        let told = closing(&format!("set bot {bot}\n"));
        assert!(told[0].starts_with("error "), "{bot}: {told:?}");
    }
    let long = "x".repeat(100_000);
    for line in
        [long.clone(), format!("set bot {long}"), format!("play {long}"), format!("draw {long}")]
    {
        let told = closing(&line);
        assert!(told[0].starts_with("error ") && told[0].len() < 5_000, "{}", told[0].len());
    }
}

/// Lines that the fire is made of.
const SEEDS: [&str; 24] = [
    "hello",
    "help",
    "isready",
    "set seed 7",
    "set bot greedy",
    "set threads 1",
    "game carcassonne players=2 board=9x9",
    "game tinytown 2x3 older",
    "record carcassonne players=2; U; 1,0 r0; road0",
    "record",
    "end",
    r#"record [{"tile":"D","rotation":0,"position":[0,0]},{}]"#,
    "draw",
    "draw U",
    "play 1,0 r0; road0",
    "play U; 1,0 r0",
    "undo 2",
    "moves",
    "turns",
    "show",
    "board",
    "go nodes 5 bot random",
    "analyse top 2 nodes 5 bot greedy",
    "wait",
];

#[test]
fn thousands_of_mutated_lines_never_end_it() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        let mut bytes = Vec::new();
        for _ in 0..100 {
            let mut line = random.pick(&SEEDS).unwrap().as_bytes().to_vec();
            for _ in 0..random.below(4) {
                mutate(&mut line, &mut random);
            }
            // A search without an end would only take time here.
            line.retain(|byte| *byte != b'\n');
            let text = String::from_utf8_lossy(&line).into_owned();
            let searches = text.contains("go") || text.contains("anal");
            let slow = text.contains("quit") || searches && !text.contains("nodes 5");
            if !slow {
                bytes.extend(line);
                bytes.push(b'\n');
            }
        }
        bytes.extend(b"end\nstop\nwait\nisready\n");
        let told = answers(&bytes);
        assert!(told.ends_with("readyok\n"), "it still listens");
    }
}

fn mutate(line: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(line.len() as u32 + 1) as usize;
    match random.below(5) {
        0 => line.truncate(at),
        1 => line.insert(at, random.below(256) as u8),
        2 if at < line.len() => line[at] = random.below(256) as u8,
        3 => line.extend_from_slice(random.pick(&SEEDS).unwrap().as_bytes()),
        _ => line.splice(at..at, *b" -99999999999 ").for_each(drop),
    }
}
