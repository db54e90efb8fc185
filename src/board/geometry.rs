//! The shape of a board and everything that follows from the shape alone: the numbering
//! of its squares, their names, rays, lines, leaps and the squares between two others.

use super::{Bitboard, Square};

/// One entry for each square index.
pub type SquareTable<T> = [T; 128];

/// The most files or ranks that a board can have.
pub const MAX_SIDE: usize = 12;

/// The eight directions as (file, rank) steps: the four that raise the square index first,
/// then their opposites in the same order.
pub const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];

/// The leaps of a king: one step in each direction.
pub const KING_LEAPS: &[(i8, i8)] = &DIRECTIONS;

/// The leaps of a knight.
pub const KNIGHT_LEAPS: &[(i8, i8)] =
    &[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// A maximal run of neighbouring squares through one square, as [`super::sliders`] reads it.
#[derive(Clone, Copy)]
pub(super) struct SliderLine {
    /// The squares of the run, as the two halves of the bitboard.
    pub full: [u64; 2],
    /// The run without its ends: a piece on an end stops no slider that the end of the board would
    /// not stop.
    pub inner: [u64; 2],
    /// The number of squares of `full` in its lower half.
    pub full_low: u8,
    /// The number of squares of `inner` in its lower half.
    pub inner_low: u8,
    /// The number of squares of the run before the square itself.
    pub position: u8,
}

/// A board: which cells of a grid are squares, and the tables that follow.
pub struct Geometry {
    files: u8,
    ranks: u8,
    count: u8,
    cells: [[Option<Square>; MAX_SIDE]; MAX_SIDE],
    places: SquareTable<(u8, u8)>,
    rays: SquareTable<[Bitboard; 8]>,
    lines: SquareTable<[SliderLine; 4]>,
}

impl Geometry {
    /// Builds the board drawn in `picture`: one string a rank from the top down, `.` for a square,
    /// `*` for a cell that does not exist.
    ///
    /// # Panics
    ///
    /// At compile time, where this is meant to be used, if the picture is ragged, larger
    /// than 12 × 12 or has more than 128 squares.
    pub const fn new(picture: &[&str]) -> Self {
        let ranks = picture.len();
        let files = picture[0].len();
        assert!(ranks <= MAX_SIDE && files <= MAX_SIDE);
        let mut geometry = Self {
            files: files as u8,
            ranks: ranks as u8,
            count: 0,
            cells: [[None; MAX_SIDE]; MAX_SIDE],
            places: [(0, 0); 128],
            rays: [[Bitboard::EMPTY; 8]; 128],
            lines: [[SliderLine {
                full: [0; 2],
                inner: [0; 2],
                full_low: 0,
                inner_low: 0,
                position: 0,
            }; 4]; 128],
        };
        let mut rank = 0;
        while rank < ranks {
            let row = picture[ranks - 1 - rank].as_bytes();
            assert!(row.len() == files);
            let mut file = 0;
            while file < files {
                if row[file] == b'.' {
                    geometry.cells[rank][file] = Some(Square::new(geometry.count));
                    geometry.places[geometry.count as usize] = (file as u8, rank as u8);
                    geometry.count += 1;
                    assert!(geometry.count <= 127);
                }
                file += 1;
            }
            rank += 1;
        }
        let mut index = 0;
        while index < geometry.count {
            let square = Square::new(index);
            let mut direction = 0;
            while direction < 8 {
                geometry.rays[square.index()][direction] = geometry.walk(square, direction);
                direction += 1;
            }
            let mut axis = 0;
            while axis < 4 {
                geometry.lines[square.index()][axis] = geometry.line_through(square, axis);
                axis += 1;
            }
            index += 1;
        }
        geometry
    }

    const fn walk(&self, from: Square, direction: usize) -> Bitboard {
        let (file, rank) = DIRECTIONS[direction];
        let mut squares = 0;
        let mut here = from;
        while let Some(next) = self.step(here, file, rank) {
            squares |= Bitboard::of(next).0;
            here = next;
        }
        Bitboard(squares)
    }

    const fn line_through(&self, square: Square, axis: usize) -> SliderLine {
        let after = self.rays[square.index()][axis].0;
        let before = self.rays[square.index()][axis + 4].0;
        let full = after | before | Bitboard::of(square).0;
        let mut inner = full & (full - 1);
        if inner != 0 {
            inner ^= 1 << (127 - inner.leading_zeros());
        }
        SliderLine {
            full: [full as u64, (full >> 64) as u64],
            inner: [inner as u64, (inner >> 64) as u64],
            full_low: (full as u64).count_ones() as u8,
            inner_low: (inner as u64).count_ones() as u8,
            position: Bitboard(before).count() as u8,
        }
    }

    /// Returns the number of files of the grid.
    pub const fn files(&self) -> usize {
        self.files as usize
    }

    /// Returns the number of ranks of the grid.
    pub const fn ranks(&self) -> usize {
        self.ranks as usize
    }

    /// Returns the number of squares.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns all squares in ascending order.
    pub fn squares(&self) -> impl DoubleEndedIterator<Item = Square> + use<> {
        (0..self.count).map(Square::new)
    }

    /// Returns the square at a file and a rank counted from 0, if there is one.
    pub const fn at(&self, file: i8, rank: i8) -> Option<Square> {
        if file < 0 || rank < 0 || file as usize >= MAX_SIDE || rank as usize >= MAX_SIDE {
            return None;
        }
        self.cells[rank as usize][file as usize]
    }

    /// Returns the file of a square, from 0.
    #[inline]
    pub const fn file(&self, square: Square) -> u8 {
        self.places[square.index()].0
    }

    /// Returns the rank of a square, from 0.
    #[inline]
    pub const fn rank(&self, square: Square) -> u8 {
        self.places[square.index()].1
    }

    /// Returns the image of a square after mirroring files, ranks or both; the square itself where
    /// the board has no image.
    pub const fn reflect(&self, square: Square, (files, ranks): (bool, bool)) -> Square {
        let (mut file, mut rank) = (self.file(square) as i8, self.rank(square) as i8);
        if files {
            file = self.files as i8 - 1 - file;
        }
        if ranks {
            rank = self.ranks as i8 - 1 - rank;
        }
        match self.at(file, rank) {
            Some(image) => image,
            None => square,
        }
    }

    /// Returns the square `files` to the right and `ranks` up, if there is one.
    pub const fn step(&self, from: Square, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = self.places[from.index()];
        self.at(file as i8 + files, rank as i8 + ranks)
    }

    /// Returns all squares.
    pub const fn all(&self) -> Bitboard {
        Bitboard((1 << self.count) - 1)
    }

    /// Returns the squares of the files from `lowest` to `highest`, counted from 0.
    pub const fn file_set(&self, lowest: u8, highest: u8) -> Bitboard {
        self.rectangle((lowest, highest), (0, self.ranks))
    }

    /// Returns the squares of the ranks from `lowest` to `highest`, counted from 0.
    pub const fn rank_set(&self, lowest: u8, highest: u8) -> Bitboard {
        self.rectangle((0, self.files), (lowest, highest))
    }

    /// Returns the squares whose file and rank are in these ranges, ends included.
    const fn rectangle(&self, files: (u8, u8), ranks: (u8, u8)) -> Bitboard {
        let mut set = 0;
        let mut index = 0;
        while index < self.count {
            let (file, rank) = self.places[index as usize];
            if files.0 <= file && file <= files.1 && ranks.0 <= rank && rank <= ranks.1 {
                set |= Bitboard::of(Square::new(index)).0;
            }
            index += 1;
        }
        Bitboard(set)
    }

    /// Returns the squares from a square to the end of the board in one of the [`DIRECTIONS`],
    /// the square itself left out. A cell that is no square ends the ray.
    #[inline]
    pub const fn ray(&self, from: Square, direction: usize) -> Bitboard {
        self.rays[from.index()][direction]
    }

    #[inline]
    pub(super) const fn line(&self, square: Square, axis: usize) -> &SliderLine {
        &self.lines[square.index()][axis]
    }

    /// Returns for each square the squares that the given leaps reach from it.
    pub const fn leaper(&self, leaps: &[(i8, i8)]) -> SquareTable<Bitboard> {
        let mut table = [Bitboard::EMPTY; 128];
        let mut index = 0;
        while index < self.count {
            let mut leap = 0;
            while leap < leaps.len() {
                let (files, ranks) = leaps[leap];
                if let Some(to) = self.step(Square::new(index), files, ranks) {
                    table[index as usize].0 |= Bitboard::of(to).0;
                }
                leap += 1;
            }
            index += 1;
        }
        table
    }

    /// Returns for each square all squares on the rank and the file through it.
    pub const fn orthogonals(&self) -> SquareTable<Bitboard> {
        self.rays_in([0, 1, 4, 5])
    }

    /// Returns for each square all squares on the diagonals through it.
    pub const fn diagonals(&self) -> SquareTable<Bitboard> {
        self.rays_in([2, 3, 6, 7])
    }

    const fn rays_in(&self, directions: [usize; 4]) -> SquareTable<Bitboard> {
        let mut table = [Bitboard::EMPTY; 128];
        let mut index = 0;
        while index < self.count() {
            let mut i = 0;
            while i < 4 {
                table[index].0 |= self.rays[index][directions[i]].0;
                i += 1;
            }
            index += 1;
        }
        table
    }

    /// Returns for each pair of squares on one line the squares strictly between them.
    pub const fn between(&self) -> SquareTable<SquareTable<Bitboard>> {
        let mut table = [[Bitboard::EMPTY; 128]; 128];
        let mut index = 0;
        while index < self.count {
            let mut direction = 0;
            while direction < 8 {
                let (file, rank) = DIRECTIONS[direction];
                let mut here = Square::new(index);
                let mut passed = 0;
                while let Some(next) = self.step(here, file, rank) {
                    table[index as usize][next.index()] = Bitboard(passed);
                    passed |= Bitboard::of(next).0;
                    here = next;
                }
                direction += 1;
            }
            index += 1;
        }
        table
    }

    /// Returns the name of a square: file letter and rank number.
    pub fn name(&self, square: Square) -> SquareName {
        SquareName { file: self.file(square), rank: self.rank(square) }
    }

    /// Reads a square's name at the beginning of `text`; returns the square and the rest.
    /// The rank takes as many digits as follow, so `e10` is one square.
    pub fn read_square<'t>(&self, text: &'t str) -> Option<(Square, &'t str)> {
        let file = text.bytes().next()?.checked_sub(b'a')?;
        let number_and_rest = text.get(1..)?;
        let digits = number_and_rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = number_and_rest.split_at(digits);
        if number.starts_with('0') || number.len() > 2 {
            return None;
        }
        let rank = number.parse::<i8>().ok()? - 1;
        Some((self.at(i8::try_from(file).ok()?, rank)?, rest))
    }
}

/// A square's name, to be displayed.
#[derive(Clone, Copy, Debug)]
pub struct SquareName {
    file: u8,
    rank: u8,
}

impl std::fmt::Display for SquareName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", (b'a' + self.file) as char, self.rank + 1)
    }
}
