//! The pixels of a session's screen, which the X server keeps in a file: whether a program has painted its content.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use xtask::session::Session;

/// Colours in the middle of the screen that only painted text has: a plain window has one.
const COLOURS_OF_TEXT: usize = 12;

/// The screen of a session, of 32 bits a pixel.
#[derive(Debug)]
pub struct Screen {
    file: File,
    /// Where the pixels begin.
    data: u64,
    /// Bytes of a line.
    line: u64,
    /// Lines.
    height: u64,
}

impl Screen {
    /// Opens the screen of `session`.
    ///
    /// # Panics
    /// If the X server does not keep its screen in a file.
    #[must_use]
    pub fn open(session: &Session) -> Self {
        let file =
            File::open(session.framebuffer()).expect("the X server keeps its screen in a file");
        let word = |index: u64| {
            let mut bytes = [0; 4];
            file.read_exact_at(&mut bytes, index * 4)
                .expect("the header can be read");
            u64::from(u32::from_be_bytes(bytes))
        };
        // Fields of the header of an X Window Dump: size, height, bytes a line, colours of 12 bytes before the pixels.
        let (header, height, line, colours) = (word(0), word(5), word(12), word(19));
        Self {
            data: header + colours * 12,
            line,
            height,
            file,
        }
    }

    /// Whether text is painted in the middle of the screen.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.colours() >= COLOURS_OF_TEXT
    }

    /// The number of colours of the screen without its edges, where the window has its frame, and without its middle, where the
    /// pointer is.
    fn colours(&self) -> usize {
        let mut colours = BTreeSet::new();
        let width = usize::try_from(self.line / 2).expect("a line fits into memory");
        let mut row = vec![0; width - width % 4];
        let left = self.line / 4 - self.line / 4 % 4;
        let above = self.height / 5..self.height * 2 / 5;
        let below = self.height * 3 / 5..self.height * 4 / 5;
        for y in above.chain(below).step_by(4) {
            let at = self.data + y * self.line + left;
            self.file
                .read_exact_at(&mut row, at)
                .expect("a row can be read");
            colours.extend(row.as_chunks::<4>().0.iter().copied());
        }
        colours.len()
    }
}
