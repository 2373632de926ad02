//! One game of Carcassonne as a state with explicit chance, in the manner of OpenSpiel.

use super::{AnyGame, either, observed, playable, read_setup, refusal, sorted_numbers, with_side};
use crate::errors::{IllegalActionError, UnknownAction, value_error};
use crate::options::Reward;
use crate::pictures;
use carcassonne::tensor::{Numbering, Tensors};
use carcassonne::{BoardSize, ExpandedSetup, Figure, Good, Move, MoveKind, Options, interpret_any};
use game::{Game, Player, Record, Turn, ignore};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A game of Carcassonne in progress, with every move that led to it.
///
/// Players' actions are numbered as `docs/tensors.md` says; chance's outcomes are the kinds of
/// tiles, A is 0. `tensors` is the version of the numbers, "v1" or "v2".
#[pyclass(module = "bastide._native", from_py_object, eq)]
#[derive(Clone)]
pub(crate) struct CarcassonneState {
    pub(crate) game: AnyGame,
    pub(crate) numbering: Numbering,
    pub(crate) history: Vec<Move>,
}

/// The arguments of `from_record` that a pickle holds.
type Rebuilt = (String, usize, Option<usize>, &'static str);

/// What `current_player` says when nobody is to move.
const CHANCE: i64 = -1;
const TERMINAL: i64 = -4;

impl PartialEq for CarcassonneState {
    fn eq(&self, other: &Self) -> bool {
        self.game.setup() == other.game.setup()
            && self.numbering == other.numbering
            && self.history == other.history
    }
}

impl CarcassonneState {
    pub(super) fn from_parts(game: AnyGame, numbering: Numbering, history: &[Move]) -> Self {
        Self { game, numbering, history: history.to_vec() }
    }

    pub(crate) fn play(&mut self, m: Move) {
        self.game.play_unchecked(m, ignore);
        self.history.push(m);
    }

    pub(crate) fn record(&self) -> Record<AnyGame> {
        Record::with_moves(self.game.setup(), self.history.clone())
    }

    /// The move that a number stands for now; it need not be legal.
    fn known(&self, number: i64) -> Result<Move, UnknownAction> {
        let found = match self.game.turn() {
            Turn::Chance => self.game.kind(number).map(Move::draw),
            _ => u32::try_from(number).ok().and_then(|number| self.numbering.action(number)),
        };
        found.ok_or_else(|| {
            let most = match self.game.turn() {
                Turn::Chance => self.game.bag().len() - 1,
                _ => self.numbering.pass() as usize,
            };
            UnknownAction { number, most, of: None }
        })
    }

    /// The number of a move, of a player or of chance.
    pub(crate) fn number(&self, m: Move) -> PyResult<i64> {
        match m.kind() {
            MoveKind::Draw(tile) => Ok(tile.index() as i64),
            _ => self.numbering.number(m).map(i64::from).ok_or_else(|| {
                value_error(format!(
                    "'{m}' is no action of tensors '{}' on a board of {side}x{side}",
                    self.numbering.version().name(),
                    side = self.numbering.side()
                ))
            }),
        }
    }

    pub(crate) fn viewer(&self, player: Option<usize>) -> PyResult<Player> {
        let players = self.game.players();
        match player {
            None => Ok(self.game.player()),
            Some(seat) if seat < players => Ok(Player::new(seat)),
            Some(seat) => {
                Err(value_error(format!("player={seat}: seats are 0 to {}", players - 1)))
            }
        }
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves
    }
}

#[pymethods]
impl CarcassonneState {
    #[new]
    #[pyo3(signature = (setup="standard", tensors=None))]
    fn new(setup: &str, tensors: Option<&str>) -> PyResult<Self> {
        let setup = read_setup(setup)?;
        let numbering = playable(&setup, tensors)?;
        Ok(Self { game: AnyGame::new(&setup), numbering, history: Vec::new() })
    }

    /// The state that a record leads to: the text form, or a JSON list of moves.
    ///
    /// A record of a board without an edge is played on a square one.
    #[staticmethod]
    #[pyo3(signature = (text, board=35, ply=None, tensors=None))]
    fn from_record(
        text: &str,
        board: usize,
        ply: Option<usize>,
        tensors: Option<&str>,
    ) -> PyResult<Self> {
        let read = interpret_any(text, &ExpandedSetup::default()).map_err(value_error)?;
        let record = read.into_record();
        record.must_begin_at_start().map_err(value_error)?;
        let (mut setup, mut moves) = (record.setup, record.moves);
        if setup.rules().board() == BoardSize::Unlimited {
            setup = with_side(&setup, board)?;
        }
        if let Some(ply) = ply {
            let most = moves.len();
            if ply > most {
                return Err(value_error(format!("ply={ply}: the record has only {most} plies")));
            }
            moves.truncate(ply);
        }
        let numbering = playable(&setup, tensors)?;
        let record = Record::<AnyGame>::with_moves(setup, moves);
        let game = record.replay().map_err(value_error)?;
        Ok(Self { game, numbering, history: record.moves })
    }

    /// The setup in full.
    #[getter]
    fn setup(&self) -> String {
        self.game.setup().to_string()
    }

    /// The version of the numbers: "v1" or "v2".
    #[getter]
    fn tensors(&self) -> &'static str {
        self.numbering.version().name()
    }

    /// Cells a side of the board.
    #[getter]
    fn board_size(&self) -> usize {
        self.numbering.side()
    }

    /// How many seats there are.
    fn num_players(&self) -> usize {
        self.game.players()
    }

    /// How many actions players have: the length of a mask.
    fn num_distinct_actions(&self) -> usize {
        self.numbering.actions()
    }

    /// The seat to move; -1 for chance, -4 when the game is over.
    fn current_player(&self) -> i64 {
        match self.game.turn() {
            Turn::Player(player) => player.index() as i64,
            Turn::Chance => CHANCE,
            Turn::Over => TERMINAL,
        }
    }

    /// Whether a tile is to be drawn.
    fn is_chance_node(&self) -> bool {
        self.game.turn() == Turn::Chance
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.game.turn() == Turn::Over
    }

    /// The phase: "draw_tile", "place_tile", "place_meeple" or "game_over".
    #[getter]
    fn phase(&self) -> &'static str {
        either!(&self.game, game => game.phase()).name()
    }

    /// The kinds that may be drawn, each with its probability.
    fn chance_outcomes(&self) -> PyResult<Vec<(usize, f64)>> {
        if !self.is_chance_node() {
            return Err(value_error("this is not a chance node: no tile is to be drawn"));
        }
        let outcomes = self.moves();
        let total: u32 = outcomes.iter().map(|outcome| self.game.odds(*outcome)).sum();
        let odds = |outcome: &Move| {
            let weight = f64::from(self.game.odds(*outcome));
            Ok((self.number(*outcome)? as usize, weight / f64::from(total)))
        };
        outcomes.iter().map(odds).collect()
    }

    /// The legal actions of the player to move, or the outcomes chance may take, ascending; none
    /// for a player who is not to move.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<i64>) -> Vec<u32> {
        let kind = |m: &Move| match m.kind() {
            MoveKind::Draw(tile) => Some(tile.index() as u32),
            _ => None,
        };
        match self.game.turn() {
            _ if player.is_some_and(|player| player != self.current_player()) => Vec::new(),
            Turn::Chance => self.moves().iter().filter_map(kind).collect(),
            _ => sorted_numbers(self.numbering, &self.moves()),
        }
    }

    /// A 1 for each legal action, 0 for the others; all 0 unless a player is to move, and that one
    /// if it is named.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mut mask = vec![0; self.numbering.actions()];
        let asked = player.is_none_or(|player| player == self.current_player());
        if asked && let Turn::Player(_) = self.game.turn() {
            for m in self.moves() {
                mask[self.number(m)? as usize] = 1;
            }
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Plays an action, or an outcome of chance.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        let m =
            self.known(action).map_err(|error| IllegalActionError::new_err(error.to_string()))?;
        if !self.game.is_legal(m) {
            let left = |m: Move| match m.kind() {
                MoveKind::Draw(tile) => self.game.bag()[tile.index()],
                _ => 0,
            };
            let reason = match self.is_chance_node() {
                true if left(m) == 0 => format!("outcome {action}: no tile {m} is left"),
                true => format!("outcome {action}: {m} is not drawn before the whole river lies"),
                false => refusal(&self.game, self.numbering, action),
            };
            return Err(IllegalActionError::new_err(reason));
        }
        self.play(m);
        Ok(())
    }

    /// The state after an action; this one stays.
    fn child(&self, action: i64) -> PyResult<Self> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// A copy that goes its own way. (It is also what `copy.copy` and `copy.deepcopy` make.)
    #[pyo3(name = "clone")]
    fn copied(&self) -> Self {
        self.clone()
    }

    /// An action as text, such as "3,-1 r2", "city0", "big city0", "pass", or "U" for a drawn tile. With two
    /// numbers the first is the player, -1 for chance, as OpenSpiel calls it.
    #[pyo3(signature = (player_or_action, action=None, /))]
    fn action_to_string(&self, player_or_action: i64, action: Option<i64>) -> PyResult<String> {
        let (chance, number) = match action {
            Some(action) => (player_or_action == CHANCE, action),
            None => (self.is_chance_node(), player_or_action),
        };
        if chance {
            return self.game.kind(number).map(|tile| tile.to_string()).ok_or_else(|| {
                let most = self.game.bag().len() - 1;
                value_error(format!(
                    "outcome {number} is out of bounds: kinds of tiles are 0 to {most}"
                ))
            });
        }
        let known = u32::try_from(number).ok().and_then(|number| self.numbering.action(number));
        known.map(|m| m.to_string()).ok_or_else(|| {
            let most = self.numbering.pass();
            value_error(format!("action {number} is out of bounds: actions are 0 to {most}"))
        })
    }

    /// The action that a text names; it need not be legal now.
    fn string_to_action(&self, text: &str) -> PyResult<i64> {
        let m: Move = text
            .parse()
            .map_err(|error| value_error(format!("'{}': {error}", game::excerpt(text, 60))))?;
        self.number(m)
    }

    /// Points now; final when the game is over.
    fn scores(&self) -> Vec<i32> {
        self.game.scores().as_slice().to_vec()
    }

    /// What the scores would be if the game ended now.
    fn projected_scores(&self) -> Vec<i32> {
        either!(&self.game, game => game.projected_scores()).as_slice().to_vec()
    }

    /// What the game was worth to each player; zeros before its end, but for "points".
    #[pyo3(signature = (reward="margin"))]
    fn returns(&self, reward: &str) -> PyResult<Vec<f32>> {
        let (reward, scores) = (Reward::named(reward)?, self.game.scores());
        let over = self.is_terminal();
        let worth = |(player, points): (Player, &i32)| match reward {
            Reward::Points => *points as f32,
            _ if over => reward.at_end(&scores, player),
            _ => 0.0,
        };
        Ok(scores.iter().map(worth).collect())
    }

    /// Every action and outcome from the start, as numbers.
    fn history(&self) -> PyResult<Vec<i64>> {
        self.history.iter().map(|m| self.number(*m)).collect()
    }

    /// Every action and outcome from the start, as text.
    fn history_strings(&self) -> Vec<String> {
        self.history.iter().map(ToString::to_string).collect()
    }

    /// The compact observation of a seat (of the one to move if none is named).
    #[pyo3(signature = (player=None))]
    fn compact<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let (viewer, numbering) = (self.viewer(player)?, self.numbering);
        let mut out = vec![0; numbering.version().compact_len(self.game.players())];
        observed!(self, game, tensors => tensors.compact(game, viewer, numbering, &mut out));
        Ok(PyArray1::from_vec(py, out))
    }

    /// The planes of a seat (of the one to move if none is named), as (plane, row, column).
    #[pyo3(signature = (player=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let (numbering, legal) = (self.numbering, self.moves());
        let (viewer, side) = (self.viewer(player)?, numbering.side());
        let count = numbering.version().plane_count(self.game.players());
        let mut out = vec![0; count * side * side];
        observed!(self, game, tensors => tensors.planes(game, viewer, numbering, &legal, &mut out));
        PyArray1::from_vec(py, out).reshape([count, side, side])
    }

    /// The planes of a seat in one row, the name by which OpenSpiel's algorithms ask for them.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let planes = self.planes(py, player)?;
        let planes = planes.readonly();
        let entries = planes.as_slice()?.iter().map(|entry| f32::from(*entry));
        Ok(PyArray1::from_vec(py, entries.collect()))
    }

    /// The globals of a seat (of the one to move if none is named).
    #[pyo3(signature = (player=None))]
    fn globals<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let viewer = self.viewer(player)?;
        let mut out = vec![0; self.numbering.version().globals_len(self.game.players())];
        observed!(self, game, tensors => tensors.globals(game, viewer, &mut out));
        Ok(PyArray1::from_vec(py, out))
    }

    /// How many tiles of each kind are left, by number.
    fn tiles_left(&self) -> Vec<u32> {
        self.game.bag().iter().map(|left| u32::from(*left)).collect()
    }

    /// The name of the tile in hand.
    fn tile_in_hand(&self) -> Option<String> {
        either!(&self.game, game => game.tile_in_hand()).map(|tile| tile.to_string())
    }

    /// How many ordinary meeples each player has in hand.
    fn supply(&self) -> Vec<u32> {
        let supply = either!(&self.game, game => game.supply());
        supply.as_slice().iter().map(|count| u32::from(*count)).collect()
    }

    /// The other figures that each player has in hand: "big", "builder", "pig", "abbot".
    fn figures(&self) -> Vec<Vec<&'static str>> {
        let of = |seat| {
            let has = |figure: &Figure| either!(&self.game, game => game.has_figure(Player::new(seat), *figure));
            Figure::ALL[1..].iter().filter(|figure| has(figure)).map(|f| f.name()).collect()
        };
        (0..self.game.players()).map(of).collect()
    }

    /// How many tokens each player has, as (wine, grain, cloth).
    fn goods(&self) -> Vec<(u8, u8, u8)> {
        let of = |seat| {
            let goods = either!(&self.game, game => game.goods(Player::new(seat)));
            (goods[Good::Wine], goods[Good::Grain], goods[Good::Cloth])
        };
        (0..self.game.players()).map(of).collect()
    }

    /// The record: setup and moves as text. `from_record` reads it back.
    fn serialize(&self) -> String {
        self.record().to_string()
    }

    /// The tiles that lie as an SVG picture.
    #[pyo3(signature = (cell=48))]
    fn svg(&self, cell: usize) -> PyResult<String> {
        let scene = either!(&self.game, game => drawing::board(game, drawing::Frame::close(game)));
        pictures::svg(&scene, cell)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(48)
    }

    /// The whole board as pixels: (height, width, 3) bytes, `cell` pixels a cell.
    #[pyo3(signature = (cell=16))]
    fn rgb<'py>(&self, py: Python<'py>, cell: usize) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let frame = pictures::whole_board(self.numbering);
        let scene = either!(&self.game, game => drawing::board(game, frame));
        pictures::rgb(py, &scene, cell)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Rebuilt)> {
        let state = slf.borrow();
        let arguments = (state.serialize(), state.board_size(), None, state.tensors());
        Ok((slf.get_type().getattr("from_record")?, arguments))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.setup().hash(&mut hasher);
        self.numbering.version().hash(&mut hasher);
        self.history.hash(&mut hasher);
        hasher.finish()
    }

    /// The board as text.
    fn __str__(&self) -> String {
        either!(&self.game, game => game.picture().to_string())
    }

    fn __repr__(&self) -> String {
        let (setup, plies) = (self.game.setup(), self.history.len());
        format!("<CarcassonneState {setup}, {plies} plies, {}>", self.phase())
    }
}
