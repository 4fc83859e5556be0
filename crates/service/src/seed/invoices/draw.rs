//! Choices that look random and are the same at every start (SplitMix64).

/// A row of choices.
pub(super) struct Draw(u64);

impl Draw {
    /// The row of one thing among many of a kind.
    pub(super) fn new(kind: &str, index: u64) -> Self {
        // FNV-1a tells the kinds apart.
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

    /// A number below `end`, which is small.
    pub(super) const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One of these.
    pub(super) fn one<'items, Item>(&mut self, items: &'items [Item]) -> &'items Item {
        &items[self.below(items.len() as u64) as usize]
    }
}
