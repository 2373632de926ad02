//! The tiles of the sets, named as in the tables that programs exchange: `IC` are inns and
//! cathedrals, `TB` traders and builders, `RI` the river. Capital letters are edges clockwise, a
//! small letter goes on with the one before it.

use crate::goods::Good;
use crate::sets::Sets;
use crate::tile::*;

const fn gardens(
    name: &'static str,
    distinct_rotations: u8,
    count: u8,
    edges: &[u8; 4],
    segments: &'static [PrintedSegment],
) -> PrintedTile {
    tile_of(Sets::GARDENS, name, distinct_rotations, count, edges, segments)
}

const fn inns(
    name: &'static str,
    distinct_rotations: u8,
    count: u8,
    edges: &[u8; 4],
    segments: &'static [PrintedSegment],
) -> PrintedTile {
    tile_of(Sets::INNS, name, distinct_rotations, count, edges, segments)
}

const fn traders(
    name: &'static str,
    distinct_rotations: u8,
    count: u8,
    edges: &[u8; 4],
    segments: &'static [PrintedSegment],
) -> PrintedTile {
    tile_of(Sets::TRADERS, name, distinct_rotations, count, edges, segments)
}

const fn river(
    name: &'static str,
    distinct_rotations: u8,
    count: u8,
    edges: &[u8; 4],
    segments: &'static [PrintedSegment],
) -> PrintedTile {
    tile_of(Sets::RIVER, name, distinct_rotations, count, edges, segments)
}

#[rustfmt::skip]
pub(crate) static SET_TILES: [PrintedTile; 59] = [
    gardens("E-garden", 4, 1, b"CFFF", &[city(N), field_by_city(EL | ER | SL | SR | WL | WR), GARDEN]),
    gardens("H-garden", 2, 1, b"CFCF", &[city(N), city(S), field_by_both(EL | ER | WL | WR), GARDEN]),
    gardens("I-garden", 4, 1, b"CFFC", &[city(N), city(W), field_by_both(EL | ER | SL | SR), GARDEN]),
    gardens("M-garden", 4, 1, b"CFFC", &[pennant_city(N | W), field_by_city(EL | ER | SL | SR), GARDEN]),
    gardens("N-garden", 4, 1, b"CFFC", &[city(N | W), field_by_city(EL | ER | SL | SR), GARDEN]),
    gardens("R-garden", 4, 1, b"CCFC", &[city(N | E | W), field_by_city(SL | SR), GARDEN]),
    gardens("U-garden", 2, 1, b"FRFR", &[road(E | W), field(NL | NR | EL | WR), field(ER | SL | SR | WL), GARDEN]),
    gardens("V-garden", 4, 1, b"FFRR", &[road(S | W), field(NL | NR | EL | ER | SL | WR), field(SR | WL), GARDEN]),
    inns("IC/Cccc.c", 1, 2, b"CCCC", &[city(N | E | S | W).special()]),
    inns("IC/LRFR", 2, 1, b"FRFR", &[road(E), road(W), field(NL | NR | EL | WR), field(ER | SL | SR | WL), MONASTERY]),
    inns("IC/CCCC", 1, 1, b"CCCC", &[city(N), city(E), city(S), city(W), field(0).touching(15)]),
    inns("IC/CCC", 4, 1, b"CCFC", &[city(N), city(E), city(W), field(SL | SR).touching(7)]),
    inns("IC/CRCR", 2, 1, b"CRCR", &[city(N), city(S), road(E), road(W), field_by_city(EL), field(ER).touching(2), field(WL).touching(2), field_by_city(WR)]),
    inns("IC/CCc+", 4, 1, b"CFCC", &[pennant_city(N | W), city(S), field_by_both(EL | ER)]),
    inns("IC/C!", 4, 1, b"CFFF", &[city(N), field_by_city(EL | ER), field_by_city(SL | SR | WL | WR)]),
    inns("IC/CFR", 4, 1, b"CFRF", &[city(N), road(S), field_by_city(EL | ER | SL), field_by_city(SR | WL | WR)]),
    inns("IC/CcR", 4, 1, b"CRFC", &[city(N | W), road(E), field_by_city(EL), field_by_city(ER | SL | SR)]),
    inns("IC/CRcR+", 2, 1, b"RCRC", &[pennant_city(E | W), road(N), road(S), field_by_city(NL), field_by_city(NR), field_by_city(SL), field_by_city(SR)]),
    inns("IC/RCc.i", 4, 1, b"CFRC", &[city(N | W), road(S).special(), field_by_city(EL | ER | SL), field_by_city(SR)]),
    inns("IC/RrC.i", 4, 1, b"CFRR", &[city(N), road(S | W).special(), field_by_city(EL | ER | SL | WR), field(SR | WL)]),
    inns("IC/CcRr+.i", 4, 1, b"CRRC", &[pennant_city(N | W), road(E | S).special(), field_by_city(EL | SR), field(ER | SL)]),
    inns("IC/RRR.i", 4, 1, b"FRRR", &[road(E).special(), road(S), road(W), field(NL | NR | EL | WR), field(ER | SL), field(SR | WL)]),
    inns("IC/RFr.i", 2, 1, b"FRFR", &[road(E | W).special(), field(NL | NR | EL | WR), field(ER | SL | SR | WL)]),
    inns("IC/Rr.i", 4, 1, b"FFRR", &[road(S | W).special(), field(NL | NR | EL | ER | SL | WR), field(SR | WL)]),
    inns("IC/RrRr", 2, 1, b"RRRR", &[road(N | W), road(E | S), field(NL | WR), field(NR | EL | SR | WL), field(ER | SL)]),
    traders("TB/Cc.g", 4, 1, b"CFFC", &[city(N | W).with_good(Good::Grain), field_by_city(EL | ER | SL | SR)]),
    traders("TB/Cc.w", 4, 1, b"CFFC", &[city(N | W).with_good(Good::Wine), field_by_city(EL | ER | SL | SR)]),
    traders("TB/CCc.c", 4, 1, b"FCCC", &[city(E | W).with_good(Good::Cloth), city(S), field_by_city(NL | NR), field_by_both(0)]),
    traders("TB/CCc.w", 4, 1, b"FCCC", &[city(E | W).with_good(Good::Wine), city(S), field_by_city(NL | NR), field_by_both(0)]),
    traders("TB/Ccc.g", 4, 1, b"CCFC", &[city(N | E | W).with_good(Good::Grain), field_by_city(SL | SR)]),
    traders("TB/CcCC.c", 4, 1, b"CCCC", &[city(N | W).with_good(Good::Cloth), city(E), city(S), field(0).touching(7)]),
    traders("TB/CcRR!.c", 4, 1, b"CRRC", &[city(N | W).with_good(Good::Cloth), road(E), road(S), field_by_city(EL), field_by_city(ER), field_by_city(SL), field_by_city(SR)]),
    traders("TB/CcRR.w", 4, 1, b"CRRC", &[city(N | W).with_good(Good::Wine), road(E), road(S), field_by_city(EL), field_by_city(ER | SL), field_by_city(SR)]),
    traders("TB/CcRC.c", 4, 1, b"CRCC", &[city(N | W).with_good(Good::Cloth), city(S), road(E), field_by_city(EL), field_by_both(ER)]),
    traders("TB/CcRC.g", 4, 1, b"CRCC", &[city(N | W).with_good(Good::Grain), city(S), road(E), field_by_city(EL), field_by_both(ER)]),
    traders("TB/CcR.c", 4, 1, b"CRFC", &[city(N | W).with_good(Good::Cloth), road(E), field_by_city(EL), field_by_city(ER | SL | SR)]),
    traders("TB/CcR!.w", 4, 1, b"CRFC", &[city(N | W).with_good(Good::Wine), road(E), field_by_city(EL), field_by_city(ER), field_by_city(SL | SR)]),
    traders("TB/CccR.w", 4, 1, b"CCRC", &[city(N | E | W).with_good(Good::Wine), road(S), field_by_city(SL), field_by_city(SR)]),
    traders("TB/CcCc.w", 4, 1, b"CCCC", &[city(N | W).with_good(Good::Wine), city(E | S), field_by_both(0)]),
    traders("TB/CFc.w", 2, 1, b"FCFC", &[city(E | W).with_good(Good::Wine), field_by_city(NL | NR), field_by_city(SL | SR)]),
    traders("TB/CR", 4, 1, b"CRFF", &[city(N), road(E), field_by_city(EL), field_by_city(ER | SL | SR | WL | WR)]),
    traders("TB/CRc.g", 4, 1, b"FCRC", &[city(E | W).with_good(Good::Grain), road(S), field_by_city(NL | NR), field_by_city(SL), field_by_city(SR)]),
    traders("TB/CRc.w", 4, 1, b"FCRC", &[city(E | W).with_good(Good::Wine), road(S), field_by_city(NL | NR), field_by_city(SL), field_by_city(SR)]),
    traders("TB/CRcR.w", 2, 1, b"RCRC", &[city(E | W).with_good(Good::Wine), road(N), road(S), field_by_city(NL), field_by_city(NR), field_by_city(SL), field_by_city(SR)]),
    traders("TB/LRRR", 4, 1, b"FRRR", &[road(E), road(S), road(W), field(NL | NR | EL | WR), field(ER | SL), field(SR | WL), MONASTERY]),
    traders("TB/RCc.g", 4, 1, b"CFRC", &[city(N | W).with_good(Good::Grain), road(S), field_by_city(EL | ER | SL), field_by_city(SR)]),
    traders("TB/RCc!.g", 4, 1, b"CFRC", &[city(N | W).with_good(Good::Grain), road(S), field_by_city(EL | ER), field_by_city(SL), field_by_city(SR)]),
    traders("TB/RRC", 4, 1, b"CFRR", &[city(N), road(S), road(W), field_by_city(EL | ER | SL), field(SR | WL), field_by_city(WR)]),
    traders("TB/RRrr", 1, 1, b"RRRR", &[road(N | S), road(E | W), field(NL | WR), field(NR | EL), field(ER | SL), field(SR | WL)]),
    river("RI/s", 4, 1, b"FWFF", &[field(ALL)]),
    river("RI/I.e", 4, 1, b"FFFW", &[field(ALL)]),
    river("RI/CICI", 2, 1, b"CWCW", &[city(N), city(S), field_by_city(EL | WR), field(ER | WL).touching(2)]),
    river("RI/CIRI", 4, 1, b"CWRW", &[city(N), road(S), field_by_city(EL), field(ER | SL), field(SR | WL), field_by_city(WR)]),
    river("RI/LIRI", 4, 1, b"FWRW", &[road(S), field(NL | NR | EL | WR), field(ER | SL), field(SR | WL), MONASTERY]),
    river("RI/RIrI", 2, 1, b"WRWR", &[road(E | W), field(NL | WR), field(NR | EL), field(ER | SL), field(SR | WL)]),
    river("RI/IFI", 2, 2, b"FWFW", &[field(NL | NR | EL | WR), field(ER | SL | SR | WL)]),
    river("RI/CcII", 4, 1, b"CWWC", &[city(N | W), field_by_city(EL | SR), field(ER | SL)]),
    river("RI/RrII", 4, 1, b"RRWW", &[road(N | E), field(NL | ER | SL | WR), field(NR | EL), field(SR | WL)]),
    river("RI/II", 4, 2, b"FFWW", &[field(NL | NR | EL | ER | SL | WR), field(SR | WL)]),
];
