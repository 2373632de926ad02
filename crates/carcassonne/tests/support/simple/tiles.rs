//! The 24 kinds, typed from the printed table: edges clockwise from the north, then cities
//! (`+` is a pennant), roads, and fields by half edges with the cities they touch.

use std::sync::LazyLock;

const TABLE: &str = "
A 2 FFRF |       | S          | NL NR EL ER SL SR WL WR              | monastery
B 4 FFFF |       |            | NL NR EL ER SL SR WL WR              | monastery
C 1 CCCC | NESW+ |            |                                      |
D 4 CRFR | N     | EW         | EL WR > N / ER SL SR WL              |
E 5 CFFF | N     |            | EL ER SL SR WL WR > N                |
F 2 FCFC | EW+   |            | NL NR > EW / SL SR > EW              |
G 1 FCFC | EW    |            | NL NR > EW / SL SR > EW              |
H 3 CFCF | N / S |            | EL ER WL WR > N S                    |
I 2 CFFC | N / W |            | EL ER SL SR > N W                    |
J 3 CRRF | N     | ES         | EL SR WL WR > N / ER SL              |
K 3 CFRR | N     | SW         | EL ER SL WR > N / SR WL              |
L 3 CRRR | N     | E / S / W  | EL WR > N / ER SL / SR WL            |
M 2 CFFC | NW+   |            | EL ER SL SR > NW                     |
N 3 CFFC | NW    |            | EL ER SL SR > NW                     |
O 2 CRRC | NW+   | ES         | EL SR > NW / ER SL                   |
P 3 CRRC | NW    | ES         | EL SR > NW / ER SL                   |
Q 1 CCFC | NEW+  |            | SL SR > NEW                          |
R 3 CCFC | NEW   |            | SL SR > NEW                          |
S 2 CCRC | NEW+  | S          | SL > NEW / SR > NEW                  |
T 1 CCRC | NEW   | S          | SL > NEW / SR > NEW                  |
U 8 FRFR |       | EW         | NL NR EL WR / ER SL SR WL            |
V 9 FFRR |       | SW         | NL NR EL ER SL WR / SR WL            |
W 4 FRRR |       | E / S / W  | NL NR EL WR / ER SL / SR WL          |
X 1 RRRR |       | N / E / S / W | NL WR / NR EL / ER SL / SR WL     |
";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Terrain {
    City,
    Road,
    Field,
    Monastery,
}

impl Terrain {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Terrain::City => "city",
            Terrain::Road => "road",
            Terrain::Field => "field",
            Terrain::Monastery => "monastery",
        }
    }
}

/// Where a segment leaves the tile: a side (0 north, 1 east, …) and the left half, the middle
/// or the right half of it, looking outward.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exit {
    pub(crate) side: usize,
    pub(crate) part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Left,
    Middle,
    Right,
}

impl Part {
    /// What it meets on the neighbour's side.
    pub(crate) fn met(self) -> Self {
        match self {
            Part::Left => Part::Right,
            Part::Middle => Part::Middle,
            Part::Right => Part::Left,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) terrain: Terrain,
    /// Among the tile's segments of this terrain, from 0.
    pub(crate) number: usize,
    /// `city0`, `road1`, `monastery`.
    pub(crate) name: String,
    pub(crate) exits: Vec<Exit>,
    pub(crate) pennants: i32,
    /// For a field: the places of the cities it touches in the tile's list of segments.
    pub(crate) touches: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) letter: char,
    pub(crate) count: u32,
    /// `C`, `R` or `F` on the north, east, south and west.
    pub(crate) edges: Vec<char>,
    /// Cities, roads, fields, monastery, as printed from left to right.
    pub(crate) segments: Vec<Segment>,
}

impl Kind {
    /// What the side shows after the tile was turned by clockwise quarters.
    pub(crate) fn edge(&self, side: usize, quarters: usize) -> char {
        self.edges[(side + 4 - quarters) % 4]
    }

    /// Which segment leaves through this exit after the tile was turned.
    pub(crate) fn segment_at(&self, exit: Exit, quarters: usize) -> Option<usize> {
        let printed = Exit { side: (exit.side + 4 - quarters) % 4, part: exit.part };
        self.segments.iter().position(|segment| segment.exits.contains(&printed))
    }
}

static KINDS: LazyLock<Vec<Kind>> =
    LazyLock::new(|| TABLE.lines().filter(|line| !line.is_empty()).map(kind).collect());

pub(crate) fn kinds() -> &'static [Kind] {
    &KINDS
}

pub(crate) fn kind_of(letter: char) -> &'static Kind {
    KINDS.iter().find(|kind| kind.letter == letter).expect("a letter from A to X")
}

fn kind(line: &str) -> Kind {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let head: Vec<&str> = columns[0].split(' ').collect();
    let mut segments = Vec::new();
    for (number, city) in listed(columns[1]).enumerate() {
        let exits = sides(city.trim_end_matches('+'));
        let pennants = i32::from(city.ends_with('+'));
        segments.push(segment(Terrain::City, number, exits, pennants, Vec::new()));
    }
    for (number, road) in listed(columns[2]).enumerate() {
        segments.push(segment(Terrain::Road, number, sides(road), 0, Vec::new()));
    }
    for (number, field) in listed(columns[3]).enumerate() {
        let (halves, cities) = field.split_once('>').unwrap_or((field, ""));
        let touches = cities.split_whitespace().map(|city| city_called(&segments, city)).collect();
        let exits = halves.split_whitespace().map(half).collect();
        segments.push(segment(Terrain::Field, number, exits, 0, touches));
    }
    if columns[4] == "monastery" {
        segments.push(segment(Terrain::Monastery, 0, Vec::new(), 0, Vec::new()));
    }
    Kind {
        letter: head[0].chars().next().expect("a letter"),
        count: head[1].parse().expect("a count"),
        edges: head[2].chars().collect(),
        segments,
    }
}

fn listed(column: &str) -> impl Iterator<Item = &str> {
    column.split('/').map(str::trim).filter(|part| !part.is_empty())
}

fn segment(
    terrain: Terrain,
    number: usize,
    exits: Vec<Exit>,
    pennants: i32,
    touches: Vec<usize>,
) -> Segment {
    let name = match terrain {
        Terrain::Monastery => "monastery".to_owned(),
        _ => format!("{}{number}", terrain.name()),
    };
    Segment { terrain, number, name, exits, pennants, touches }
}

fn side(letter: char) -> usize {
    "NESW".find(letter).expect("a side")
}

fn sides(letters: &str) -> Vec<Exit> {
    letters.chars().map(|letter| Exit { side: side(letter), part: Part::Middle }).collect()
}

fn half(name: &str) -> Exit {
    let letters: Vec<char> = name.chars().collect();
    let part = if letters[1] == 'L' { Part::Left } else { Part::Right };
    Exit { side: side(letters[0]), part }
}

fn city_called(segments: &[Segment], name: &str) -> usize {
    let exits = sides(name);
    segments.iter().position(|segment| segment.exits == exits).expect("a city of this tile")
}
