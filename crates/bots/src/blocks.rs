//! Sums of rows for WebAssembly, 32 outputs at a time: their sums stay in registers, where the plain
//! loop would load and store all of them with every row. Each sum has the same terms in the same
//! order, so it is the same to the bit.

use std::arch::wasm32::{f32x4_add, f32x4_mul, f32x4_splat, v128, v128_load, v128_store};

/// The outputs of a block: eight vectors of four.
const BLOCK: usize = 32;
/// The most inputs of a layer.
const MOST: usize = 256;

/// Adds each row as many times as its input says, skipping inputs that are zero; false, with nothing
/// done, if the outputs are no whole blocks.
#[inline(always)]
pub(crate) fn add_rows<const O: usize>(sums: &mut [f32; O], rows: &[[f32; O]], x: &[f32]) -> bool {
    let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
    if !rest.is_empty() || x.len() > MOST {
        return false;
    }
    // Which rows count is found once for all blocks.
    let mut used = [(0u16, 0.0f32); MOST];
    let mut count = 0;
    for (row, x) in x.iter().enumerate().take(rows.len()) {
        used[count % MOST] = (row as u16, *x);
        count += usize::from(*x != 0.0);
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        let weights = |row: u16| &rows[usize::from(row)].as_chunks::<BLOCK>().0[index];
        add_block(block, used[..count].iter().map(|(row, x)| (weights(*row), *x)));
    }
    true
}

/// Written out for eight vectors: a loop over them would put them into memory.
#[inline(always)]
fn add_block<'a>(block: &mut [f32; BLOCK], rows: impl Iterator<Item = (&'a [f32; BLOCK], f32)>) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = vectors(block);
    for (row, x) in rows {
        let x = f32x4_splat(x);
        let row = vectors(row);
        a = f32x4_add(a, f32x4_mul(x, row[0]));
        b = f32x4_add(b, f32x4_mul(x, row[1]));
        c = f32x4_add(c, f32x4_mul(x, row[2]));
        d = f32x4_add(d, f32x4_mul(x, row[3]));
        e = f32x4_add(e, f32x4_mul(x, row[4]));
        f = f32x4_add(f, f32x4_mul(x, row[5]));
        g = f32x4_add(g, f32x4_mul(x, row[6]));
        h = f32x4_add(h, f32x4_mul(x, row[7]));
    }
    let to = block.as_mut_ptr().cast::<v128>();
    for (index, sum) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
        // SAFETY: the block has room for eight vectors; they need not be aligned.
        unsafe { v128_store(to.add(index), sum) };
    }
}

#[inline(always)]
fn vectors(of: &[f32; BLOCK]) -> [v128; 8] {
    let at = of.as_ptr().cast::<v128>();
    // SAFETY: a block is eight vectors long; they need not be aligned.
    let vector = |index: usize| unsafe { v128_load(at.add(index)) };
    [0, 1, 2, 3, 4, 5, 6, 7].map(vector)
}
