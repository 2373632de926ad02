use carcassonne::Carcassonne;
use game::{Game, Record, Turn};
use server::games::Hosted;
use serde_json::json;
fn main() {
    let text = std::fs::read_to_string("docs/examples/game.txt").unwrap();
    let record: Record<Carcassonne> = text.parse().unwrap();
    let mut tally = Default::default();
    let mut told = Vec::new();
    let mut all = Vec::new();
    let mut game = Carcassonne::start(&record.setup, |e| told.push(e));
    let mut views = Vec::new();
    let mut step = |game: &Carcassonne, ply: usize, told: &mut Vec<_>, tally: &mut _, all: &mut Vec<_>| {
        for e in told.drain(..) { <Carcassonne as Hosted>::count(tally, &e); let mut v = game.event(&e); v["ply"] = ply.into(); all.push(v); }
        let turn = match game.turn() { Turn::Player(p) => Some(p.index()), _ => None };
        json!({"ply": ply, "phase": Hosted::phase(game), "turn": turn, "view": game.view(tally), "legal": game.legal_turns()})
    };
    views.push(step(&game, 0, &mut told, &mut tally, &mut all));
    for (i, m) in record.moves.iter().enumerate() {
        game.play(*m, |e| told.push(e)).unwrap();
        views.push(step(&game, i + 1, &mut told, &mut tally, &mut all));
    }
    std::fs::write("/tmp/wg_fixture.json", json!({"views": views, "events": all, "record": text}).to_string()).unwrap();
}
