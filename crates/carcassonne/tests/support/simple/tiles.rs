//! The kinds, typed from the printed table: edges clockwise from the north (W is water), then
//! cities (`+` is a pennant, `!` a cathedral, `$w` a token of wine), roads (`!` is an inn), and
//! fields by half edges (`I`: closed inside the tile) with the cities they touch.

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
# gardens
E-garden 1 CFFF | N |  | EL ER SL SR WL WR > N | garden
H-garden 1 CFCF | N / S |  | EL ER WL WR > N S | garden
I-garden 1 CFFC | N / W |  | EL ER SL SR > N W | garden
M-garden 1 CFFC | NW+ |  | EL ER SL SR > NW | garden
N-garden 1 CFFC | NW |  | EL ER SL SR > NW | garden
R-garden 1 CCFC | NEW |  | SL SR > NEW | garden
U-garden 1 FRFR |  | EW | NL NR EL WR / ER SL SR WL | garden
V-garden 1 FFRR |  | SW | NL NR EL ER SL WR / SR WL | garden
# inns
IC/Cccc.c 2 CCCC | NESW! |  |  |
IC/LRFR 1 FRFR |  | E / W | NL NR EL WR / ER SL SR WL | monastery
IC/CCCC 1 CCCC | N / E / S / W |  | I > N E S W |
IC/CCC 1 CCFC | N / E / W |  | SL SR > N E W |
IC/CRCR 1 CRCR | N / S | E / W | EL > N / ER > S / WL > S / WR > N |
IC/CCc+ 1 CFCC | NW+ / S |  | EL ER > NW S |
IC/C! 1 CFFF | N |  | EL ER > N / SL SR WL WR > N |
IC/CFR 1 CFRF | N | S | EL ER SL > N / SR WL WR > N |
IC/CcR 1 CRFC | NW | E | EL > NW / ER SL SR > NW |
IC/CRcR+ 1 RCRC | EW+ | N / S | NL > EW / NR > EW / SL > EW / SR > EW |
IC/RCc.i 1 CFRC | NW | S! | EL ER SL > NW / SR > NW |
IC/RrC.i 1 CFRR | N | SW! | EL ER SL WR > N / SR WL |
IC/CcRr+.i 1 CRRC | NW+ | ES! | EL SR > NW / ER SL |
IC/RRR.i 1 FRRR |  | E! / S / W | NL NR EL WR / ER SL / SR WL |
IC/RFr.i 1 FRFR |  | EW! | NL NR EL WR / ER SL SR WL |
IC/Rr.i 1 FFRR |  | SW! | NL NR EL ER SL WR / SR WL |
IC/RrRr 1 RRRR |  | NW / ES | NL WR / NR EL SR WL / ER SL |
# traders
TB/Cc.g 1 CFFC | NW$g |  | EL ER SL SR > NW |
TB/Cc.w 1 CFFC | NW$w |  | EL ER SL SR > NW |
TB/CCc.c 1 FCCC | EW$c / S |  | NL NR > EW / I > EW S |
TB/CCc.w 1 FCCC | EW$w / S |  | NL NR > EW / I > EW S |
TB/Ccc.g 1 CCFC | NEW$g |  | SL SR > NEW |
TB/CcCC.c 1 CCCC | NW$c / E / S |  | I > NW E S |
TB/CcRR!.c 1 CRRC | NW$c | E / S | EL > NW / ER > NW / SL > NW / SR > NW |
TB/CcRR.w 1 CRRC | NW$w | E / S | EL > NW / ER SL > NW / SR > NW |
TB/CcRC.c 1 CRCC | NW$c / S | E | EL > NW / ER > NW S |
TB/CcRC.g 1 CRCC | NW$g / S | E | EL > NW / ER > NW S |
TB/CcR.c 1 CRFC | NW$c | E | EL > NW / ER SL SR > NW |
TB/CcR!.w 1 CRFC | NW$w | E | EL > NW / ER > NW / SL SR > NW |
TB/CccR.w 1 CCRC | NEW$w | S | SL > NEW / SR > NEW |
TB/CcCc.w 1 CCCC | NW$w / ES |  | I > NW ES |
TB/CFc.w 1 FCFC | EW$w |  | NL NR > EW / SL SR > EW |
TB/CR 1 CRFF | N | E | EL > N / ER SL SR WL WR > N |
TB/CRc.g 1 FCRC | EW$g | S | NL NR > EW / SL > EW / SR > EW |
TB/CRc.w 1 FCRC | EW$w | S | NL NR > EW / SL > EW / SR > EW |
TB/CRcR.w 1 RCRC | EW$w | N / S | NL > EW / NR > EW / SL > EW / SR > EW |
TB/LRRR 1 FRRR |  | E / S / W | NL NR EL WR / ER SL / SR WL | monastery
TB/RCc.g 1 CFRC | NW$g | S | EL ER SL > NW / SR > NW |
TB/RCc!.g 1 CFRC | NW$g | S | EL ER > NW / SL > NW / SR > NW |
TB/RRC 1 CFRR | N | S / W | EL ER SL > N / SR WL / WR > N |
TB/RRrr 1 RRRR |  | NS / EW | NL WR / NR EL / ER SL / SR WL |
# river
RI/s 1 FWFF |  |  | NL NR EL ER SL SR WL WR |
RI/I.e 1 FFFW |  |  | NL NR EL ER SL SR WL WR |
RI/CICI 1 CWCW | N / S |  | EL WR > N / ER WL > S |
RI/CIRI 1 CWRW | N | S | EL > N / ER SL / SR WL / WR > N |
RI/LIRI 1 FWRW |  | S | NL NR EL WR / ER SL / SR WL | monastery
RI/RIrI 1 WRWR |  | EW | NL WR / NR EL / ER SL / SR WL |
RI/IFI 2 FWFW |  |  | NL NR EL WR / ER SL SR WL |
RI/CcII 1 CWWC | NW |  | EL SR > NW / ER SL |
RI/RrII 1 RRWW |  | NE | NL ER SL WR / NR EL / SR WL |
RI/II 2 FFWW |  |  | NL NR EL ER SL WR / SR WL |
";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Terrain {
    City,
    Road,
    Field,
    Monastery,
    Garden,
}

impl Terrain {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Terrain::City => "city",
            Terrain::Road => "road",
            Terrain::Field => "field",
            Terrain::Monastery => "monastery",
            Terrain::Garden => "garden",
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
    /// An inn or a cathedral.
    pub(crate) special: bool,
    /// Tokens of wine, grain and cloth.
    pub(crate) goods: [i32; 3],
    /// For a field: the places of the cities it touches in the tile's list of segments.
    pub(crate) touches: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) name: String,
    /// The set it belongs to; empty for the base game.
    pub(crate) set: &'static str,
    pub(crate) count: u32,
    /// `C`, `R`, `F` or `W` on the north, east, south and west.
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

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let (mut set, mut kinds) = ("", Vec::new());
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(next) => set = next,
            None => kinds.push(kind(line, set)),
        }
    }
    kinds
});

pub(crate) fn kinds() -> &'static [Kind] {
    &KINDS
}

pub(crate) fn kind_of(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).expect("a name of the table")
}

fn kind(line: &str, set: &'static str) -> Kind {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let head: Vec<&str> = columns[0].split(' ').collect();
    let mut segments = Vec::new();
    for (number, city) in listed(columns[1]).enumerate() {
        let mut city_segment = segment(Terrain::City, number, sides(city), Vec::new());
        city_segment.pennants = i32::from(city.contains('+'));
        city_segment.special = city.contains('!');
        city_segment.goods = ["$w", "$g", "$c"].map(|token| i32::from(city.contains(token)));
        segments.push(city_segment);
    }
    for (number, road) in listed(columns[2]).enumerate() {
        let mut road_segment = segment(Terrain::Road, number, sides(road), Vec::new());
        road_segment.special = road.contains('!');
        segments.push(road_segment);
    }
    for (number, field) in listed(columns[3]).enumerate() {
        let (halves, cities) = field.split_once('>').unwrap_or((field, ""));
        let touches = cities.split_whitespace().map(|city| city_called(&segments, city)).collect();
        let exits = halves.split_whitespace().filter(|half| *half != "I").map(half).collect();
        segments.push(segment(Terrain::Field, number, exits, touches));
    }
    match columns[4] {
        "monastery" => segments.push(segment(Terrain::Monastery, 0, Vec::new(), Vec::new())),
        "garden" => segments.push(segment(Terrain::Garden, 0, Vec::new(), Vec::new())),
        _ => {}
    }
    Kind {
        name: head[0].to_owned(),
        set,
        count: head[1].parse().expect("a count"),
        edges: head[2].chars().collect(),
        segments,
    }
}

fn listed(column: &str) -> impl Iterator<Item = &str> {
    column.split('/').map(str::trim).filter(|part| !part.is_empty())
}

fn segment(terrain: Terrain, number: usize, exits: Vec<Exit>, touches: Vec<usize>) -> Segment {
    let name = match terrain {
        Terrain::Monastery | Terrain::Garden => terrain.name().to_owned(),
        _ => format!("{}{number}", terrain.name()),
    };
    let (pennants, special, goods) = (0, false, [0; 3]);
    Segment { terrain, number, name, exits, pennants, special, goods, touches }
}

fn side(letter: char) -> usize {
    "NESW".find(letter).expect("a side")
}

/// The sides named by the letters before any other sign.
fn sides(letters: &str) -> Vec<Exit> {
    let letters = letters.chars().take_while(|letter| "NESW".contains(*letter));
    letters.map(|letter| Exit { side: side(letter), part: Part::Middle }).collect()
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
