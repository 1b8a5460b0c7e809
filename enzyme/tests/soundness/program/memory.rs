//! Memory: arrays, records, copies, unions, addresses as integers.

use super::writer::{FunctionWriter, Tag};
use super::{AddressTrick, CopyWay, Index, Pick, Place, Sort, UnionUse, Walk};

/// The fields of a record: type, and what kind of value lies there.
const FIELDS: [Sort; 5] = [Sort::Double, Sort::Long, Sort::Array, Sort::Float, Sort::Int];

impl FunctionWriter<'_> {
    /// New memory of this type and size.
    fn memory(&mut self, place: Place, ty: &str, size: u64) -> String {
        match place {
            Place::Frame => self.alloca(ty),
            Place::Heap => {
                self.declare("ptr @malloc(i64)");
                self.value(format!("call ptr @malloc(i64 {size})"))
            }
            Place::ClearedHeap => {
                self.declare("ptr @calloc(i64, i64)");
                self.value(format!("call ptr @calloc(i64 1, i64 {size})"))
            }
        }
    }

    pub(super) fn allocate(&mut self, place: Place, sort: Sort, picks: [Pick; 4]) {
        let at = match sort {
            Sort::Record => {
                let at = self.memory(place, "%record", 32);
                for (field, pick) in (0..5).zip(picks.into_iter().chain([0])) {
                    self.write_field(&at, field, pick);
                }
                at
            }
            Sort::Cell => {
                let at = self.memory(place, "ptr", 8);
                let array = self.read(Sort::Array, picks[0]);
                let tag = self.tag(Tag::Pointer);
                self.emit(format!("store ptr {array}, ptr {at}{tag}"));
                at
            }
            Sort::Floats => {
                let at = self.memory(place, "[4 x float]", 16);
                self.fill(&at, Sort::Float, picks);
                at
            }
            _ => {
                let at = self.memory(place, "[4 x double]", 32);
                self.fill(&at, Sort::Double, picks);
                at
            }
        };
        self.keep(sort, at);
    }

    fn fill(&mut self, at: &str, element: Sort, picks: [Pick; 4]) {
        for (index, pick) in picks.into_iter().enumerate() {
            let value = self.read(element, pick);
            let ty = element.ty();
            let place = self.value(format!("getelementptr inbounds {ty}, ptr {at}, i64 {index}"));
            let tag = self.element_tag(element);
            self.emit(format!("store {ty} {value}, ptr {place}{tag}"));
        }
    }

    fn element_tag(&self, element: Sort) -> String {
        match element {
            Sort::Float => self.tag(Tag::Float),
            Sort::Array => self.tag(Tag::Pointer),
            _ => self.tag(Tag::Double),
        }
    }

    pub(super) fn temporary(&mut self, value: Pick) {
        self.declare("ptr @malloc(i64)");
        self.declare("void @free(ptr)");
        let value = self.read(Sort::Double, value);
        let at = self.value("call ptr @malloc(i64 8)");
        self.emit(format!("store double {value}, ptr {at}"));
        let result = self.value(format!("load double, ptr {at}"));
        self.emit(format!("call void @free(ptr {at})"));
        self.keep(Sort::Double, result);
    }

    /// What lies in memory of this kind, and the address of one element.
    fn element(&mut self, sort: Sort, at: Pick, index: Index) -> (Sort, String) {
        let base = self.read(sort, at);
        let element = match sort {
            Sort::Floats => Sort::Float,
            Sort::Cell => return (Sort::Array, base),
            _ => Sort::Double,
        };
        let index = match index {
            Index::Known(0) => return (element, base),
            Index::Known(index) => index.to_string(),
            Index::Computed(pick) => {
                let number = self.read(Sort::Long, pick);
                self.value(format!("and i64 {number}, 3"))
            }
        };
        let ty = element.ty();
        (element, self.value(format!("getelementptr inbounds {ty}, ptr {base}, i64 {index}")))
    }

    pub(super) fn load(&mut self, sort: Sort, at: Pick, index: Index) {
        let (element, place) = self.element(sort, at, index);
        let tag = self.element_tag(element);
        let result = self.value(format!("load {}, ptr {place}{tag}", element.ty()));
        self.keep(element, result);
    }

    pub(super) fn store(&mut self, sort: Sort, at: Pick, index: Index, value: Pick) {
        let (element, place) = self.element(sort, at, index);
        let value = self.read(element, value);
        let tag = self.element_tag(element);
        self.emit(format!("store {} {value}, ptr {place}{tag}", element.ty()));
    }

    pub(super) fn sum(&mut self, sort: Sort, at: Pick, walk: Walk) {
        let base = self.read(sort, at);
        let before = self.block.clone();
        let (head, end) = (self.label("loop"), self.label("end"));
        let (counter, next_counter, total, next_total) = (self.name(), self.name(), self.name(), self.name());
        let (pointer, next_pointer) = (self.name(), self.name());
        let tag = self.tag(Tag::Double);
        self.emit(format!("br label %{head}"));
        self.start(&head);
        self.emit(format!("{counter} = phi i64 [ 0, %{before} ], [ {next_counter}, %{head} ]"));
        self.emit(format!("{total} = phi double [ 0.0, %{before} ], [ {next_total}, %{head} ]"));
        if walk == Walk::ByPointer {
            self.emit(format!("{pointer} = phi ptr [ {base}, %{before} ], [ {next_pointer}, %{head} ]"));
        } else {
            self.emit(format!("{pointer} = getelementptr inbounds double, ptr {base}, i64 {counter}"));
        }
        let element = self.value(format!("load double, ptr {pointer}{tag}"));
        self.emit(format!("{next_total} = fadd double {total}, {element}"));
        self.emit(format!("{next_counter} = add i64 {counter}, 1"));
        if walk == Walk::ByPointer {
            self.emit(format!("{next_pointer} = getelementptr inbounds i8, ptr {pointer}, i64 8"));
        }
        let again = self.value(format!("icmp ult i64 {next_counter}, 4"));
        self.emit(format!("br i1 {again}, label %{head}, label %{end}"));
        self.start(&end);
        self.keep(Sort::Double, next_total);
    }

    fn field_place(&mut self, record: &str, field: u8) -> String {
        self.value(format!("getelementptr inbounds %record, ptr {record}, i64 0, i32 {field}"))
    }

    pub(super) fn get_field(&mut self, at: Pick, field: u8) {
        let record = self.read(Sort::Record, at);
        let place = self.field_place(&record, field);
        let sort = FIELDS[field as usize];
        let tag = self.tag(Tag::Field(field));
        let result = self.value(format!("load {}, ptr {place}{tag}", sort.ty()));
        self.keep(sort, result);
    }

    pub(super) fn set_field(&mut self, at: Pick, field: u8, value: Pick) {
        let record = self.read(Sort::Record, at);
        self.write_field(&record, field, value);
    }

    fn write_field(&mut self, record: &str, field: u8, value: Pick) {
        let place = self.field_place(record, field);
        let sort = FIELDS[field as usize];
        let value = self.read(sort, value);
        let tag = self.tag(Tag::Field(field));
        self.emit(format!("store {} {value}, ptr {place}{tag}", sort.ty()));
    }

    pub(super) fn copy(&mut self, sort: Sort, way: CopyWay, from: Pick, to: Pick) {
        let from = self.read(sort, from);
        let to = self.read(if sort == Sort::Constants { Sort::Array } else { sort }, to);
        match way {
            CopyWay::Memcpy | CopyWay::Memmove => {
                let name = if way == CopyWay::Memcpy { "memcpy" } else { "memmove" };
                self.declare(format!("void @llvm.{name}.p0.p0.i64(ptr, ptr, i64, i1)"));
                self.emit(format!(
                    "call void @llvm.{name}.p0.p0.i64(ptr {to}, ptr {from}, i64 32, i1 false)"
                ));
            }
            CopyWay::Words => self.copy_pieces(&from, &to, "i64", 4),
            // The first word; the others stay as they are.
            CopyWay::Bytes => self.copy_pieces(&from, &to, "i8", 8),
            CopyWay::Whole => {
                let ty = if sort == Sort::Record { "%record" } else { "[4 x double]" };
                let whole = self.value(format!("load {ty}, ptr {from}"));
                self.emit(format!("store {ty} {whole}, ptr {to}"));
            }
        }
    }

    fn copy_pieces(&mut self, from: &str, to: &str, ty: &str, count: u64) {
        for index in 0..count {
            let source = self.value(format!("getelementptr inbounds {ty}, ptr {from}, i64 {index}"));
            let target = self.value(format!("getelementptr inbounds {ty}, ptr {to}, i64 {index}"));
            let piece = self.value(format!("load {ty}, ptr {source}"));
            self.emit(format!("store {ty} {piece}, ptr {target}"));
        }
    }

    pub(super) fn clear(&mut self, at: Pick) {
        let at = self.read(Sort::Array, at);
        self.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
        self.emit(format!("call void @llvm.memset.p0.i64(ptr {at}, i8 0, i64 32, i1 false)"));
    }

    pub(super) fn union(&mut self, place: Place, uses: &[UnionUse]) {
        let at = self.memory(place, "[16 x i8]", 16);
        for union_use in uses {
            match *union_use {
                UnionUse::Double(x) => self.round_trip(&at, Sort::Double, x, Sort::Double),
                UnionUse::Integer(x) => self.round_trip(&at, Sort::Long, x, Sort::Long),
                UnionUse::Pointer(x) => self.round_trip(&at, Sort::Array, x, Sort::Array),
                UnionUse::BitsOfDouble(x) => self.round_trip(&at, Sort::Double, x, Sort::Bits),
                UnionUse::DoubleOfBits(x) => self.round_trip(&at, Sort::Bits, x, Sort::Double),
                UnionUse::TwoFloats(x, y) => {
                    let upper = self.value(format!("getelementptr inbounds i8, ptr {at}, i64 4"));
                    self.round_trip(&at, Sort::Float, x, Sort::Float);
                    self.round_trip(&upper, Sort::Float, y, Sort::Float);
                }
            }
        }
    }

    /// A value written as one thing and read as another.
    fn round_trip(&mut self, at: &str, written: Sort, value: Pick, read: Sort) {
        let value = self.read(written, value);
        self.emit(format!("store {} {value}, ptr {at}", written.ty()));
        let result = self.value(format!("load {}, ptr {at}", read.ty()));
        self.keep(read, result);
    }

    pub(super) fn address(&mut self, trick: AddressTrick, at: Pick) {
        match trick {
            AddressTrick::ToAddress => {
                let at = self.read(Sort::Array, at);
                let address = self.value(format!("ptrtoint ptr {at} to i64"));
                self.keep(Sort::Address, address);
            }
            AddressTrick::FromAddress => {
                let address = self.read(Sort::Address, at);
                let at = self.value(format!("inttoptr i64 {address} to ptr"));
                self.keep(Sort::Array, at);
            }
            AddressTrick::Detour => {
                let at = self.read(Sort::Array, at);
                let address = self.value(format!("ptrtoint ptr {at} to i64"));
                let moved = self.value(format!("add i64 {address}, 16"));
                let third = self.value(format!("inttoptr i64 {moved} to ptr"));
                let back = self.value(format!("getelementptr double, ptr {third}, i64 -2"));
                self.keep(Sort::Array, back);
            }
            AddressTrick::LoadAsInteger => {
                let slot = self.alloca("ptr");
                self.round_trip(&slot, Sort::Array, at, Sort::Address);
            }
            AddressTrick::LoadAsPointer => {
                let slot = self.alloca("i64");
                self.round_trip(&slot, Sort::Address, at, Sort::Array);
            }
        }
    }
}
