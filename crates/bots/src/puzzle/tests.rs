use super::*;

/// Two puzzles: one of the base game, one with sets.
fn text() -> String {
    let one = |record: &str, answer: &str, also: &str| {
        let record: Record<Expanded> = record.parse().unwrap();
        let id = PuzzleId::of(&record);
        format!(
            "\npuzzle {id}\nrating 1523\nthemes field ending\ngap 3.41 0.32\n\
             solved shepherd 0/8 mason 3/8\nsource engine\nanswer {answer}\n{also}record\n{record}end\n"
        )
    };
    let base = one("carcassonne\nE", "0,1 r2; city0", "also 0,-1 r1; pass\n");
    let sets = one("carcassonne players=3 sets=inns\nU; 1,0 r0; pass\nE", "0,1 r2; pass", "");
    format!("bastide-puzzles 1\n{base}{}", sets.replace("source engine", "source game 17"))
}

#[test]
fn puzzles_are_read_as_they_are_written() {
    let puzzles = read_all(&text()).unwrap();
    assert_eq!(write_all(&puzzles), text());
    let [base, sets] = &puzzles[..] else { panic!("{puzzles:?}") };
    assert_eq!((base.rating, base.gap), (1523, Gap { points: 3.41, error: 0.32 }));
    assert_eq!(base.themes, [Theme::Field, Theme::Ending]);
    assert_eq!(base.solved[1], Solved { level: "mason".to_owned(), times: 3, of: 8 });
    assert_eq!(sets.source, Source::Game("17".to_owned()));
    assert_eq!(sets.themes, base.themes);
    assert_ne!(sets.id(), base.id());
    let spaced = format!("\u{feff}# ours\r\n{}", text().replace('\n', "\r\n"));
    assert_eq!(read_all(&spaced).unwrap(), puzzles, "comments and line ends change nothing");
}

#[test]
fn turns_that_are_as_good_solve_a_puzzle() {
    let puzzle = &read_all(&text()).unwrap()[0];
    let turn = |text: &str| -> Vec<Move> { text.split("; ").map(|m| m.parse().unwrap()).collect() };
    assert!(puzzle.is_solution(&turn("0,1 r2; city0")));
    assert!(puzzle.is_solution(&turn("0,-1 r1; pass")));
    assert!(!puzzle.is_solution(&turn("0,1 r2; pass")));
    assert!(!puzzle.is_solution(&turn("0,1 r2")));
    assert!(!puzzle.is_solution(&[]));
    let mut straight = puzzle.clone();
    straight.record = "carcassonne\nU".parse().unwrap();
    straight.answer = turn("1,0 r0; road0");
    let puzzle = straight;
    assert!(
        puzzle.is_solution(&turn("1,0 r2; road0")),
        "a straight road turned by half looks alike"
    );
}

#[test]
fn hostile_text_is_refused_with_its_line() {
    let with = |from: &str, to: &str| {
        assert!(text().contains(from), "{from}");
        text().replacen(from, to, 1)
    };
    for (text, line, word) in [
        (String::new(), 1, "the text is empty"),
        ("{\"puzzles\":[]}".to_owned(), 1, "begin with 'bastide-puzzles 1'"),
        (with("puzzles 1", "puzzles 2"), 1, "begin with 'bastide-puzzles 1'"),
        (with("\npuzzle", "\nputzle"), 3, "expected 'puzzle ID'"),
        (with("rating 1523", "rating -1"), 4, "a number from 0 to 4000"),
        (with("rating 1523", "rating 70000"), 4, "a number from 0 to 4000"),
        (with("field ending", "field love"), 5, "closing"),
        (with("field ending", "field field"), 5, "twice"),
        (with("gap 3.41 0.32", "gap 3.41"), 6, "standard error"),
        (with("gap 3.41", "gap nan"), 6, "standard error"),
        (with("gap 3.41", "gap -1"), 6, "standard error"),
        (with("0/8", "9/8"), 7, "mason 3/8"),
        (with("0/8 ", "0/8 mason 1/8 "), 7, "mason 3/8"),
        (with("0/8", "0"), 7, "mason 3/8"),
        (with("source engine", "source \u{1b}[31m"), 8, "\\u{1b}"),
        (with("answer 0,1 r2; city0", "answer 0,1 r2; city9"), 9, "city9"),
        (with("answer 0,1 r2; city0", "answer 0,1 r2"), 9, "not whole"),
        (with("answer 0,1 r2; city0", "answer 0,1 r2; pass; pass"), 9, "over before"),
        (with("answer 0,1 r2; city0", "answer 7,7 r0; pass"), 9, "7,7"),
        (with("also 0,-1 r1; pass", "also 1,0 r0; pass"), 10, "legal"),
        (with("also 0,-1 r1", "love 0,-1 r1"), 10, "a line begins with rating"),
        (with("also 0,-1 r1; pass", "rating 3"), 10, "one line 'rating'"),
        (with("rating 1523\n", ""), 3, "no line 'rating'"),
        (with("carcassonne players=2", "carcassonne players=9"), 12, "players"),
        (with("\nE\nend", "\nE; 0,1 r2\nend"), 14, "ends with the tile"),
        (with("\nE\nend", "\nV\nend"), 3, "the record is that of the puzzle"),
        (with("\nE\nend", "\nE; 9,9 r0\nend"), 14, "ply 2"),
        (with("\nE\nend", "\n"), 15, "expected a drawn tile"),
    ] {
        let error = read_all(&text).unwrap_err();
        assert!(error.line == line && error.reason.contains(word), "{error}\n{text}");
    }
    let twice = text() + text().strip_prefix("bastide-puzzles 1\n").unwrap();
    assert!(read_all(&twice).unwrap_err().reason.contains("twice"));
    // Whatever is cut off or changed, it is read or refused.
    let whole = text();
    for at in 0..whole.len() {
        let _ = read_all(&whole[..at]);
        for other in ["\0", ";", "9", "\n", "end\n"] {
            let _ = read_all(&(whole[..at].to_owned() + other + &whole[at + 1..]));
        }
    }
}

#[cfg(feature = "puzzles")]
#[test]
fn the_shipped_puzzles_are_sorted() {
    let ids: Vec<PuzzleId> = shipped().iter().map(Puzzle::id).collect();
    assert!(ids.is_sorted());
}
