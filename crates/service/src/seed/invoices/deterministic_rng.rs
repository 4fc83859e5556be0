//! A deterministic random number generator (SplitMix64): every start makes the same choices.

/// The state of the generator.
pub(super) struct DeterministicRng(u64);

impl DeterministicRng {
    /// A generator for the item `index` of a `kind`.
    pub(super) fn new(kind: &str, index: u64) -> Self {
        // FNV-1a of the kind.
        let seed = kind.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next 64 bits.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `end`. The bias of the remainder does not matter here.
    pub(super) const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One of `items`.
    pub(super) fn one<'items, Item>(&mut self, items: &'items [Item]) -> &'items Item {
        &items[self.below(items.len() as u64) as usize]
    }
}
