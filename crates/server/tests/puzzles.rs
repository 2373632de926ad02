//! Puzzles over HTTP: what is told before and after an answer, ratings, the day's puzzle, own mistakes.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use bots::puzzle::{Gap, Puzzle, Solved, Source, Theme, write_all};
use carcassonne::{Expanded, Move, MoveKind};
use common::{Answer, Client, Server};
use game::{Game, Random, Record, Turn, ignore};
use reqwest::Method;
use serde_json::{Value, json};
use server::puzzles::Added;
use server::staff::admin::add_puzzles;
use server::wire::{MyPuzzles, PuzzlePosition, PuzzleResult, PuzzleThemes};
use std::collections::BTreeSet;

/// A position of a random game with a tile in hand, and two whole turns of it that look different.
fn position(seed: u64) -> (Record<Expanded>, [Vec<Move>; 2]) {
    let setup = if seed.is_multiple_of(5) { "players=3 sets=inns" } else { "players=2" };
    let mut record = Record::<Expanded>::new(setup.parse().unwrap());
    let mut game = Expanded::new(&record.setup);
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    let wanted = 10 + seed as usize % 60;
    loop {
        let drawn = record.moves.last().is_some_and(|m| matches!(m.kind(), MoveKind::Draw(_)));
        game.moves(&mut moves);
        if record.moves.len() >= wanted && drawn && moves.len() > 1 {
            break;
        }
        let m = game.sample_outcome(&mut random).or_else(|| random.pick(&moves).copied()).unwrap();
        game.play_unchecked(m, ignore);
        record.moves.push(m);
    }
    let cells: Vec<Move> = moves.clone();
    let other_cell = |m: &&Move| match (m.kind(), cells[0].kind()) {
        (MoveKind::Place { cell, .. }, MoveKind::Place { cell: first, .. }) => cell != first,
        _ => false,
    };
    match cells.iter().find(other_cell) {
        Some(second) => (record, [vec![cells[0], Move::PASS], vec![*second, Move::PASS]]),
        None => position(seed + 1000),
    }
}

fn puzzle(seed: u64, rating: u16, themes: &[Theme]) -> (Puzzle, Vec<String>) {
    let (record, [answer, wrong]) = position(seed);
    let puzzle = Puzzle {
        rating,
        themes: themes.to_vec(),
        gap: Gap { points: 4.25, error: 0.5 },
        solved: vec![Solved { level: "mason".to_owned(), times: 3, of: 8 }],
        source: Source::Engine,
        answer,
        also: Vec::new(),
        record,
    };
    (puzzle, texts(&wrong))
}

fn texts(turn: &[Move]) -> Vec<String> {
    turn.iter().map(ToString::to_string).collect()
}

/// Fifty puzzles from 1000 to 1980, with a wrong turn each; every third is about fields.
fn fifty() -> Vec<(Puzzle, Vec<String>)> {
    let themes = |n: u16| if n.is_multiple_of(3) { &[Theme::Field][..] } else { &[Theme::Ending] };
    (0..50).map(|n: u16| puzzle(u64::from(n), 1000 + 20 * n, themes(n))).collect()
}

async fn with_fifty() -> (Server, Vec<(Puzzle, Vec<String>)>) {
    // Tests say where a request comes from.
    let trust = |config: &mut server::Config| {
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    };
    let server = Server::start_with(trust).await;
    let puzzles = fifty();
    let text = write_all(puzzles.iter().map(|(puzzle, _)| puzzle));
    let added = add_puzzles(&server.app.db, &text).await.unwrap();
    assert_eq!(added, Added { new: 50, known: 0 });
    (server, puzzles)
}

async fn member(server: &Server, name: &str) -> Client {
    let client = server.client();
    let wanted = json!({"name": name, "password": "correct horse battery"});
    client.post("/api/register", &wanted).await.ok();
    client
}

async fn answer(client: &Client, puzzle: &Puzzle, moves: &[String]) -> PuzzleResult {
    let path = format!("/api/puzzles/{}/answer", puzzle.id());
    client.post(&path, &json!({"moves": moves})).await.json()
}

async fn answer_from(
    client: &Client,
    address: &str,
    puzzle: &Puzzle,
    moves: &[String],
) -> PuzzleResult {
    let path = format!("/api/puzzles/{}/answer", puzzle.id());
    let request = client.request(Method::POST, &path).json(&json!({"moves": moves}));
    Answer::of(request.header("x-forwarded-for", address)).await.json()
}

async fn mine(client: &Client) -> MyPuzzles {
    client.get("/api/puzzles/mine").await.json()
}

#[tokio::test]
async fn nothing_tells_the_answer_before_it_is_given() {
    let (server, puzzles) = with_fifty().await;
    let (puzzle, _) = &puzzles[7];
    let path = format!("/api/puzzles/{}", puzzle.id());
    for client in [server.client(), server.guest().await, member(&server, "Ada").await] {
        let told = client.get(&path).await.value();
        let keys: BTreeSet<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["id", "daily", "seat", "view", "legal"]));
        let position: PuzzlePosition = serde_json::from_value(told).unwrap();
        let Turn::Player(player) = puzzle.position().turn() else { panic!("somebody moves") };
        assert_eq!(position.seat, player.index());
        let legal: Vec<&str> = position.legal.iter().map(|turn| turn.moved.as_str()).collect();
        assert!(legal.contains(&puzzle.answer[0].to_string().as_str()), "{legal:?}");
    }
    // What is told with the answer.
    let ada = server.guest().await;
    let result = answer(&ada, puzzle, &texts(&puzzle.answer)).await;
    assert!(result.right);
    assert_eq!(result.answer, texts(&puzzle.answer));
    assert_eq!((result.gap.points, result.gap.error), (4.25, 0.5));
    assert_eq!(result.record, puzzle.record.to_string());
    let compared = result.compared.expect("there are other turns");
    assert_ne!(compared.moves, result.answer);
    assert_eq!(result.facts.themes.len(), 1);
    let told = ada.get(&path).await.value();
    assert_eq!(told["answered"]["solved"], true);
    assert!(told.get("answer").is_none() && told.get("facts").is_none());
    server.stop().await;
}

#[tokio::test]
async fn ratings_move_the_right_way_and_only_by_a_first_answer() {
    let (server, puzzles) = with_fifty().await;
    let (ada, bob, guest) =
        (member(&server, "Ada").await, member(&server, "Bob").await, server.guest().await);
    let (puzzle, wrong) = &puzzles[25];
    assert_eq!(mine(&ada).await.progress.rating.games, 0);
    let solved = answer(&ada, puzzle, &texts(&puzzle.answer)).await;
    let (change, after) = (solved.change.unwrap(), solved.progress.unwrap());
    assert!(change > 20.0 && (after.rating.rating - 1500.0 - change).abs() < 1e-6, "{change}");
    assert!(solved.facts.rating < 1500.0 && solved.facts.plays == 1 && solved.facts.solved == 1);
    let missed = answer(&bob, puzzle, wrong).await;
    assert!(!missed.right && missed.change.unwrap() < -20.0);
    assert_eq!(missed.answer, texts(&puzzle.answer));
    let compared = missed.compared.expect("the turn that was tried");
    assert_eq!(&compared.moves, wrong);
    assert!(missed.facts.rating > solved.facts.rating);
    // A guest's answer moves the guest's rating, and not the puzzle's: anybody can be a hundred guests.
    let by_guest = answer(&guest, puzzle, wrong).await;
    assert!(by_guest.change.unwrap() < 0.0);
    assert_eq!(by_guest.facts.rating.to_bits(), missed.facts.rating.to_bits());
    assert_eq!(by_guest.facts.plays, 2);
    // Neither does who is not logged in.
    let anonymous = answer(&server.client(), puzzle, &texts(&puzzle.answer)).await;
    assert!(anonymous.right && anonymous.change.is_none() && anonymous.progress.is_none());
    assert_eq!(anonymous.facts.plays, 2);
    // Nor does a bot, whoever owns it.
    let owner = member(&server, "Carla").await;
    let made = owner.post("/api/me/tokens", &json!({"label": "a bot", "bot": true})).await.value();
    let bot = owner.with_token(made["token"].as_str().unwrap());
    let by_bot = answer(&bot, puzzle, &texts(&puzzle.answer)).await;
    assert!(by_bot.right && by_bot.change.is_none() && by_bot.facts.plays == 2);
    assert_eq!(mine(&owner).await.progress.rating.games, 0);
    // A second answer is judged and counts for nothing.
    let again = answer(&bob, puzzle, &texts(&puzzle.answer)).await;
    assert!(again.right && again.change.is_none());
    let told = mine(&bob).await;
    assert_eq!((told.progress.rating.games, told.progress.solved), (1, 0));
    assert_eq!(told.answers.len(), 1);
    assert!(!told.answers[0].first.solved);
    assert!(mine(&ada).await.progress.rating.rating > told.progress.rating.rating);
    // Ratings survive a start, and adding the same puzzles again.
    let text = write_all(puzzles.iter().map(|(puzzle, _)| puzzle));
    let added = add_puzzles(&server.app.db, &text).await.unwrap();
    assert_eq!(added, Added { new: 0, known: 50 });
    let once_more = answer(&ada, puzzle, wrong).await;
    assert_eq!(once_more.facts.rating.to_bits(), missed.facts.rating.to_bits());
    server.stop().await;
}

#[tokio::test]
async fn nobody_is_rated_for_an_answer_that_was_shown_at_their_address() {
    let (server, puzzles) = with_fifty().await;
    let (ada, guest, nobody) =
        (member(&server, "Ada").await, server.guest().await, server.client());
    let home = "2001:db8:1:2::9";
    let right = |at: usize| (&puzzles[at].0, texts(&puzzles[at].0.answer));
    // Without a session, as a guest, or by a bot's token: the answer is shown and known at that address.
    let (first, moves) = right(20);
    answer_from(&nobody, home, first, &puzzles[20].1).await;
    let known = answer_from(&ada, "2001:db8:1:2:77::1", first, &moves).await;
    assert!(known.right && known.shown_here && known.change.is_none(), "{known:?}");
    assert_eq!((known.facts.plays, known.facts.rating), (0, 1400.0), "nor is the puzzle");
    let progress = known.progress.unwrap();
    assert_eq!((progress.rating.rating, progress.rating.games, progress.run), (1500.0, 1, 1));
    // It is played: a second answer is none that is rated either, and there it is the reason.
    let again = answer_from(&ada, "192.0.2.50", first, &moves).await;
    assert!(again.change.is_none() && !again.shown_here);
    let told = mine(&ada).await;
    assert_eq!((told.answers.len(), told.answers[0].change), (1, 0.0));

    let (second, moves) = right(21);
    let by_guest = answer_from(&guest, home, second, &puzzles[21].1).await;
    assert!(by_guest.change.unwrap() < 0.0 && !by_guest.shown_here, "a guest's own first answer");
    let other_guest = server.guest().await;
    assert!(answer_from(&other_guest, home, second, &moves).await.shown_here);
    assert!(answer_from(&ada, home, second, &moves).await.shown_here);

    // A bot's token tells its owner, wherever either of them is.
    let (third, moves) = right(22);
    let made = ada.post("/api/me/tokens", &json!({"label": "a bot", "bot": true})).await.value();
    let bot = ada.with_token(made["token"].as_str().unwrap());
    answer_from(&bot, "198.51.100.7", third, &moves).await;
    assert!(answer_from(&ada, home, third, &moves).await.shown_here);

    // Elsewhere, other puzzles, and after an account: rated as ever. A refused turn shows nothing.
    let bob = member(&server, "Bob").await;
    assert!(answer_from(&bob, "192.0.2.8", first, &right(20).1).await.change.unwrap() > 0.0);
    let (fourth, moves) = right(23);
    assert!(answer_from(&bob, home, fourth, &moves).await.change.unwrap() > 0.0);
    assert!(answer_from(&ada, home, fourth, &moves).await.change.unwrap() > 0.0);
    let (fifth, moves) = right(24);
    let path = format!("/api/puzzles/{}/answer", fifth.id());
    let half = nobody.request(Method::POST, &path).json(&json!({"moves": [moves[0]]}));
    Answer::of(half.header("x-forwarded-for", home)).await.refused(422);
    assert!(answer_from(&ada, home, fifth, &moves).await.change.unwrap() > 0.0);
    server.stop().await;
}

#[tokio::test]
async fn no_answer_moves_a_rating_by_more_than_two_hundred() {
    let (server, puzzles) = with_fifty().await;
    let (easy, wrong) = &puzzles[0];
    let hard = &puzzles[49].0;
    let (ada, bob) = (member(&server, "Ada").await, member(&server, "Bob").await);
    let missed = answer(&ada, easy, wrong).await.change.unwrap();
    let solved = answer(&bob, hard, &texts(&hard.answer)).await.change.unwrap();
    assert!((-200.0..-100.0).contains(&missed), "{missed}");
    assert!((100.0..=200.0).contains(&solved), "{solved}");
    let told = mine(&ada).await.progress.rating;
    assert!(told.provisional && told.deviation <= 200.0, "{told:?}");
    server.stop().await;
}

#[tokio::test]
async fn many_solvers_at_once_are_each_counted_once() {
    let (server, puzzles) = with_fifty().await;
    let mut members = Vec::new();
    for number in 0..8 {
        members.push(member(&server, &format!("Solver{number}")).await);
    }
    let (puzzle, wrong) = &puzzles[10];
    // Everybody answers three times at the same time, and another puzzle beside it.
    let tasks = members.iter().enumerate().flat_map(|(number, client)| {
        let right = number % 2 == 0;
        let moves = if right { texts(&puzzle.answer) } else { wrong.clone() };
        let other = &puzzles[11].0;
        let same = (0..3).map(move |_| (client.clone(), puzzle.clone(), moves.clone()));
        same.chain([(client.clone(), other.clone(), texts(&other.answer))])
    });
    let tasks: Vec<_> = tasks
        .map(|(client, puzzle, moves)| {
            tokio::spawn(async move { answer(&client, &puzzle, &moves).await.change.is_some() })
        })
        .collect();
    let mut rated = 0;
    for task in tasks {
        rated += usize::from(task.await.unwrap());
    }
    assert_eq!(rated, 8 * 2);
    for (number, client) in members.iter().enumerate() {
        let told = mine(client).await;
        let solved = if number % 2 == 0 { 2 } else { 1 };
        assert_eq!((told.progress.rating.games, told.progress.solved), (2, solved), "{number}");
        assert_eq!(told.answers.len(), 2);
    }
    let facts = answer(&server.client(), puzzle, wrong).await.facts;
    assert_eq!((facts.plays, facts.solved), (8, 4));
    server.stop().await;
}

#[tokio::test]
async fn the_next_puzzle_is_near_new_and_of_the_theme() {
    let (server, puzzles) = with_fifty().await;
    let ada = member(&server, "Ada").await;
    let of = |id: &str| puzzles.iter().position(|(puzzle, _)| puzzle.id().to_string() == id);
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let next: PuzzlePosition = ada.get("/api/puzzles/next").await.json();
        let (puzzle, wrong) = &puzzles[of(&next.id).unwrap()];
        if seen.is_empty() {
            assert!(puzzle.rating.abs_diff(1500) < 200, "{}", puzzle.rating);
        }
        assert!(seen.insert(next.id), "one that was answered does not come again");
        let turn = if seen.len().is_multiple_of(2) { &texts(&puzzle.answer) } else { wrong };
        answer(&ada, puzzle, turn).await;
    }
    let none = ada.get("/api/puzzles/next").await;
    assert!(none.text.contains("no puzzles left"), "{}", none.text);
    assert_eq!(none.refused(404), "not_found");
    // Who is not logged in is not remembered, but does not see the same one twice in a row.
    let nobody = server.client();
    for _ in 0..20 {
        let path = "/api/puzzles/next?theme=field";
        let one: PuzzlePosition = nobody.get(path).await.json();
        assert!(of(&one.id).unwrap().is_multiple_of(3), "not about fields");
        let two: PuzzlePosition = nobody.get(&format!("{path}&seen={}", one.id)).await.json();
        assert_ne!(one.id, two.id);
    }
    let themes: PuzzleThemes = nobody.get("/api/puzzles").await.json();
    let counts: Vec<u32> = themes.themes.iter().map(|theme| theme.puzzles).collect();
    assert_eq!((themes.puzzles, counts), (50, vec![17, 33]));
    let odd = nobody.get("/api/puzzles/next?theme=love").await;
    assert!(odd.text.contains("sharing"), "says which there are: {}", odd.text);
    assert_eq!(odd.refused(400), "bad_request");
    assert_eq!(nobody.get("/api/puzzles/next?theme=closing").await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn the_puzzle_of_the_day_is_one_for_all_and_counts_days() {
    let (server, puzzles) = with_fifty().await;
    let (ada, bob) = (member(&server, "Ada").await, member(&server, "Bob").await);
    let daily: PuzzlePosition = ada.get("/api/puzzles/daily").await.json();
    assert!(daily.daily);
    let same: PuzzlePosition = server.client().get("/api/puzzles/daily").await.json();
    assert_eq!(daily.id, same.id);
    // It stays the day's when others are added, and after a new start.
    let (more, _) = puzzle(900, 1500, &[]);
    add_puzzles(&server.app.db, &write_all([&more])).await.unwrap();
    let find = |id: &str| puzzles.iter().find(|(puzzle, _)| puzzle.id().to_string() == id).unwrap();
    let (today, wrong) = find(&daily.id);
    let solved = answer(&ada, today, &texts(&today.answer)).await.progress.unwrap();
    assert_eq!((solved.daily_run, solved.run, solved.daily_solved), (1, 1, true));
    let again = answer(&ada, today, &texts(&today.answer)).await.progress.unwrap();
    assert_eq!(again.daily_run, 1);
    // Missed is missed: the answer is known then.
    answer(&bob, today, wrong).await;
    let late = answer(&bob, today, &texts(&today.answer)).await.progress.unwrap();
    assert_eq!((late.daily_run, late.daily_solved), (0, false));
    let (other, other_wrong) = puzzles.iter().find(|(puzzle, _)| puzzle != today).unwrap();
    let run = answer(&ada, other, &texts(&other.answer)).await.progress.unwrap();
    assert_eq!((run.run, run.best_run, run.daily_run), (2, 2, 1));
    let no_day = answer(&bob, other, &texts(&other.answer)).await.progress.unwrap();
    assert_eq!((no_day.run, no_day.daily_run), (1, 0), "another puzzle is not the day's");
    let (third, third_wrong) = puzzles.iter().rfind(|(puzzle, _)| puzzle != today).unwrap();
    assert_ne!(other_wrong, third_wrong);
    let broken = answer(&ada, third, third_wrong).await.progress.unwrap();
    assert_eq!((broken.run, broken.best_run, broken.daily_run), (0, 2, 1));

    // As if all that had been the days before: a run goes on the next day, and ends when a day is left out.
    let db = server.app.db.clone();
    let shift = async |days: i64| {
        let sql = "UPDATE puzzle_solvers SET daily_last = daily_last - $1";
        sqlx::query(sql).bind(days).execute(&db.pool).await.unwrap();
        let sql = "UPDATE puzzle_answers SET answered = answered - $1";
        sqlx::query(sql).bind(days * 86_400_000).execute(&db.pool).await.unwrap();
    };
    shift(1).await;
    let told = mine(&ada).await.progress;
    assert_eq!((told.daily_run, told.daily_solved), (1, false));
    // One that was answered on an earlier day counts for the day when it is solved again.
    let second = answer(&ada, today, &texts(&today.answer)).await;
    assert!(second.change.is_none());
    assert_eq!(second.progress.unwrap().daily_run, 2);
    shift(2).await;
    let told = mine(&ada).await.progress;
    assert_eq!((told.daily_run, told.best_daily_run), (0, 2));
    let server = server.restart().await;
    let after: PuzzlePosition = server.client().get("/api/puzzles/daily").await.json();
    assert_eq!(after.id, daily.id);
    server.stop().await;
}

#[tokio::test]
async fn hostile_answers_are_refused_with_what_is_allowed_and_count_for_nothing() {
    let (server, puzzles) = with_fifty().await;
    let ada = member(&server, "Ada").await;
    let (puzzle, _) = &puzzles[3];
    let path = format!("/api/puzzles/{}/answer", puzzle.id());
    let place = puzzle.answer[0].to_string();
    let long = "9".repeat(4000);
    for (moves, word) in [
        (json!([]), "a turn is all its moves"),
        (json!([place]), "a turn is all its moves"),
        (json!([place, "pass", "pass"]), "a turn is all its moves"),
        (json!(["99,99 r0", "pass"]), "99,99"),
        (json!([place, "city9"]), "city9"),
        (json!(["\u{1b}[31m"]), "\\\\u{1b}"),
        (json!([long]), "…"),
        (json!(["A"]), "A"),
    ] {
        let refused = ada.post(&path, &json!({"moves": moves})).await;
        assert!(refused.text.contains(word), "{moves}: {}", refused.text);
        assert!(refused.text.len() < 2000, "{}", refused.text);
        assert_eq!(refused.refused(422), "illegal_move");
    }
    for body in [json!({}), json!({"moves": "pass"}), json!({"moves": [1]}), json!({"turn": []})] {
        let status = ada.post(&path, &body).await.status;
        assert!(status.is_client_error(), "{body}");
    }
    for id in ["zzzzzzzz", "00000000", "..", "%00", "x".repeat(500).as_str()] {
        let missing = ada.post(&format!("/api/puzzles/{id}/answer"), &json!({"moves": []})).await;
        assert!(missing.status.is_client_error(), "{id}");
    }
    assert_eq!(mine(&ada).await.progress.rating.games, 0);
    assert_eq!(server.client().get("/api/puzzles/mine").await.refused(401), "not_logged_in");
    assert_eq!(server.client().get("/api/puzzles/own").await.refused(401), "not_logged_in");
    let own: Value = ada.get("/api/puzzles/own").await.value();
    assert_eq!(own, json!({"games": []}));
    // What cannot be read is not added at all, and the line is named.
    let text = write_all([puzzle]).replace("gap 4.25", "gap much");
    let refused = add_puzzles(&server.app.db, &text).await.unwrap_err().to_string();
    assert!(refused.starts_with("line 6: gap 'much"), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn what_somebody_solved_goes_with_the_account() {
    let (server, puzzles) = with_fifty().await;
    let ada = member(&server, "Ada").await;
    answer(&ada, &puzzles[0].0, &texts(&puzzles[0].0.answer)).await;
    server::staff::admin::delete(&server.app.db, "Ada").await.unwrap();
    for table in ["puzzle_answers", "puzzle_solvers"] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let sql = sqlx::AssertSqlSafe(sql);
        let rows: i64 = sqlx::query_scalar(sql).fetch_one(&server.app.db.pool).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_link_to_a_puzzle_shows_the_position_before_its_answer() {
    let (server, puzzles) = with_fifty().await;
    let client = server.client();
    let (puzzle, _) = &puzzles[2];
    let id = puzzle.id().to_string();
    let html = client.get(&format!("/puzzles/{id}")).await.ok().text;
    assert!(html.contains("og:title\" content=\"Find the best turn\""), "{html}");
    assert!(html.contains(&format!("{}/api/puzzles/{id}/picture\"", server.address)), "{html}");
    assert!(html.contains(&format!("{}/puzzles/{id}\"", server.address)), "{html}");
    for path in ["/puzzles", "/puzzles/daily", "/puzzles/next", "/puzzles/00000000", "/puzzles/x/y"]
    {
        assert!(!client.get(path).await.ok().text.contains("og:title"), "{path}");
    }
    let fetch = async |path: &str| {
        let answer = client.request(Method::GET, path).send().await.unwrap();
        let (status, tag) = (answer.status().as_u16(), answer.headers().get("etag").cloned());
        (status, tag, answer.bytes().await.unwrap())
    };
    let path = format!("/api/puzzles/{id}/picture");
    let (status, tag, png) = fetch(&path).await;
    assert_eq!((status, &png[1..4]), (200, &b"PNG"[..]));
    // What is drawn is the record of the puzzle, byte for byte as an imported game with the same moves.
    let user = member(&server, "Importer").await;
    let record = puzzle.record.to_string();
    let game =
        user.post("/api/import", &json!({"record": record, "names": ["A", "B"]})).await.value();
    let game = format!("/api/games/{}/picture?format=card", game["id"].as_str().unwrap());
    assert!(fetch(&game).await.2 == png, "the position before the answer");
    let known = client.request(Method::GET, &path).header("if-none-match", tag.unwrap());
    assert_eq!(known.send().await.unwrap().status().as_u16(), 304);
    assert_eq!(fetch("/api/puzzles/00000000/picture").await.0, 404);
    server.stop().await;
}
