//! Control flow, calls, and the choice of what a statement is.

use super::writer::FunctionWriter;
use super::{Callee, Pick, PointerSource, Sort, Statement, Style};

impl FunctionWriter<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Doubles(op, x, y) => self.doubles(*op, *x, *y),
            Statement::Floats(op, x, y) => self.floats(*op, *x, *y),
            Statement::Math(op, x, y) => self.math(*op, *x, *y),
            Statement::Convert(conversion, x) => self.convert(*conversion, *x),
            Statement::Longs(op, x, y) => self.longs(*op, *x, *y),
            Statement::Compare(compared, x, y) => self.compare(*compared, *x, *y),
            Statement::Select(sort, condition, x, y) => self.select(*sort, *condition, *x, *y),
            Statement::BitTrick(trick, x, y) => self.bit_trick(*trick, *x, *y),
            Statement::PackFloats(x, y) => self.pack_floats(*x, *y),
            Statement::Allocate(place, sort, picks) => self.allocate(*place, *sort, *picks),
            Statement::Temporary(value) => self.temporary(*value),
            Statement::Load(sort, at, index) => self.load(*sort, *at, *index),
            Statement::Store(sort, at, index, value) => self.store(*sort, *at, *index, *value),
            Statement::Sum(sort, at, walk) => self.sum(*sort, *at, *walk),
            Statement::GetField(at, field) => self.get_field(*at, *field),
            Statement::SetField(at, field, value) => self.set_field(*at, *field, *value),
            Statement::Copy(sort, way, from, to) => self.copy(*sort, *way, *from, *to),
            Statement::Clear(at) => self.clear(*at),
            Statement::OnlyRead(at) => {
                let at = self.read(Sort::Array, *at);
                self.keep(Sort::Constants, at);
            }
            Statement::Union(place, uses) => self.union(*place, uses),
            Statement::Address(trick, at) => self.address(*trick, *at),
            Statement::Vector(op, x, y) => self.vector(*op, *x, *y),
            Statement::Pair(op, x, y) => self.pair(*op, *x, *y),
            Statement::If(condition, then, otherwise, merged) => {
                self.branch(*condition, then, otherwise, merged);
            }
            Statement::Switch(value, arms) => self.switch(*value, arms),
            Statement::Loop(rounds, body, carried) => self.repeat(*rounds, body, carried),
            Statement::Call(callee, picks) => self.call(*callee, *picks),
            Statement::CallPointer(source, picks) => self.call_pointer(*source, *picks),
        }
    }

    fn branch(
        &mut self,
        condition: Pick,
        then: &[Statement],
        otherwise: &[Statement],
        merged: &[(Sort, Pick, Pick)],
    ) {
        let condition = self.condition(condition);
        let (then_label, else_label, end) = (self.label("then"), self.label("else"), self.label("end"));
        let slots: Vec<String> = match self.program.style {
            Style::Registers => Vec::new(),
            Style::Frame => merged.iter().map(|(sort, ..)| self.alloca(sort.ty())).collect(),
        };
        self.emit(format!("br i1 {condition}, label %{then_label}, label %{else_label}"));
        let mut ways = Vec::new();
        let arms = [(then_label, then, 0), (else_label, otherwise, 1)];
        for (label, statements, which) in arms {
            self.start(&label);
            let scope = self.scope();
            self.statements(statements);
            let mut values = Vec::new();
            for (index, &(sort, if_true, if_false)) in merged.iter().enumerate() {
                let value = self.read(sort, [if_true, if_false][which]);
                if let Some(slot) = slots.get(index) {
                    self.emit(format!("store {} {value}, ptr {slot}", sort.ty()));
                }
                values.push(value);
            }
            self.end_scope(scope);
            ways.push((values, self.block.clone()));
            self.emit(format!("br label %{end}"));
        }
        self.start(&end);
        for (index, &(sort, ..)) in merged.iter().enumerate() {
            let kept = match slots.get(index) {
                Some(slot) => slot.clone(),
                None => {
                    let incoming: Vec<String> = ways
                        .iter()
                        .map(|(values, block)| format!("[ {}, %{block} ]", values[index]))
                        .collect();
                    self.value(format!("phi {} {}", sort.ty(), incoming.join(", ")))
                }
            };
            self.keep_as_it_is(sort, kept);
        }
    }

    fn switch(&mut self, value: Pick, arms: &[Vec<Statement>]) {
        let number = self.read(Sort::Long, value);
        let small = self.value(format!("and i64 {number}, 3"));
        let end = self.label("end");
        let labels: Vec<String> = arms.iter().map(|_| self.label("case")).collect();
        let cases: Vec<String> = labels
            .iter()
            .enumerate()
            .map(|(index, label)| format!("i64 {}, label %{label}", index + 1))
            .collect();
        self.emit(format!("switch i64 {small}, label %{end} [ {} ]", cases.join(" ")));
        for (label, arm) in labels.iter().zip(arms) {
            self.start(label);
            let scope = self.scope();
            self.statements(arm);
            self.end_scope(scope);
            self.emit(format!("br label %{end}"));
        }
        self.start(&end);
    }

    fn repeat(&mut self, rounds: u8, body: &[Statement], carried: &[(Sort, Pick, Pick)]) {
        let before = self.block.clone();
        let (head, end) = (self.label("loop"), self.label("end"));
        let scope = self.scope();
        let counter = self.name();
        let mut kept = Vec::new();
        let mut starts = Vec::new();
        for &(sort, start, _) in carried {
            let start = self.read(sort, start);
            kept.push(match self.program.style {
                Style::Registers => self.name(),
                Style::Frame => {
                    let slot = self.alloca(sort.ty());
                    self.emit(format!("store {} {start}, ptr {slot}", sort.ty()));
                    slot
                }
            });
            starts.push(start);
        }
        self.emit(format!("br label %{head}"));
        for (&(sort, ..), kept) in carried.iter().zip(&kept) {
            self.keep_as_it_is(sort, kept.clone());
        }
        // The phis need what the body computes, so the body is written first.
        let code_before = std::mem::take(&mut self.code);
        self.block.clone_from(&head);
        self.keep(Sort::Long, counter.clone());
        self.statements(body);
        let next: Vec<String> = carried.iter().map(|&(sort, _, next)| self.read(sort, next)).collect();
        if self.program.style == Style::Frame {
            for ((&(sort, ..), value), slot) in carried.iter().zip(&next).zip(&kept) {
                self.emit(format!("store {} {value}, ptr {slot}", sort.ty()));
            }
        }
        let next_counter = self.value(format!("add i64 {counter}, 1"));
        let again = self.value(format!("icmp ult i64 {next_counter}, {rounds}"));
        self.emit(format!("br i1 {again}, label %{head}, label %{end}"));
        let code_of_body = std::mem::replace(&mut self.code, code_before);
        let latch = self.block.clone();
        self.start(&head);
        self.emit(format!("{counter} = phi i64 [ 0, %{before} ], [ {next_counter}, %{latch} ]"));
        if self.program.style == Style::Registers {
            for (index, &(sort, ..)) in carried.iter().enumerate() {
                let (name, start, next) = (&kept[index], &starts[index], &next[index]);
                let ty = sort.ty();
                self.emit(format!("{name} = phi {ty} [ {start}, %{before} ], [ {next}, %{latch} ]"));
            }
        }
        self.code += &code_of_body;
        self.start(&end);
        self.end_scope(scope);
        for (index, &(sort, ..)) in carried.iter().enumerate() {
            let last = match self.program.style {
                Style::Registers => &next[index],
                Style::Frame => &kept[index],
            };
            self.keep_as_it_is(sort, last.clone());
        }
    }

    fn call(&mut self, callee: Callee, picks: [Pick; 3]) {
        // Who is called comes later, so that calls end.
        if callee.index() <= self.index {
            return;
        }
        self.need(callee);
        let mut arguments = Vec::new();
        for (&sort, pick) in callee.parameters().iter().zip(picks) {
            let mut value = self.read(sort, pick);
            if matches!(callee, Callee::Recursive | Callee::Even | Callee::Odd) && sort == Sort::Long {
                value = self.value(format!("and i64 {value}, 3"));
            }
            arguments.push(format!("{} {value}", sort.ty()));
        }
        let result = callee.result();
        let ty = result.map_or("void", Sort::ty);
        let call = format!("call {ty} @{}({})", callee.name(), arguments.join(", "));
        match result {
            Some(sort) => {
                let value = self.value(call);
                self.keep(sort, value);
            }
            None => self.emit(call),
        }
    }

    fn call_pointer(&mut self, source: PointerSource, picks: [Pick; 3]) {
        if Callee::Other.index() <= self.index {
            return;
        }
        self.need(Callee::Scalar);
        self.need(Callee::Other);
        let [which, x, y] = picks;
        let callee = match source {
            PointerSource::Selected => {
                let condition = self.condition(which);
                self.value(format!("select i1 {condition}, ptr @scalar, ptr @other"))
            }
            PointerSource::Memory => {
                let slot = self.alloca("ptr");
                self.emit(format!("store ptr @other, ptr {slot}"));
                self.value(format!("load ptr, ptr {slot}"))
            }
            PointerSource::Table => {
                let number = self.read(Sort::Long, which);
                let index = self.value(format!("and i64 {number}, 1"));
                let place =
                    self.value(format!("getelementptr [2 x ptr], ptr @functions, i64 0, i64 {index}"));
                self.value(format!("load ptr, ptr {place}"))
            }
        };
        let (x, y) = (self.read(Sort::Double, x), self.read(Sort::Double, y));
        let value = self.value(format!("call double {callee}(double {x}, double {y})"));
        self.keep(Sort::Double, value);
    }
}
