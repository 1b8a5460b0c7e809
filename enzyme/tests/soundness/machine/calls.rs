//! Calls: of functions of the module, directly or through pointers, and of the library.

use enzyme::model::InstId;

use super::value::{Value, bits};
use super::{Frame, Machine, Stop};
use crate::uses::Uses;

impl<'m> Machine<'m> {
    pub(super) fn call(&mut self, frame: &mut Frame<'m>, inst: InstId) -> Result<Option<Value>, Stop> {
        let data = &frame.function.insts[inst];
        let arguments = data
            .arguments()
            .iter()
            .map(|&argument| self.operand(frame, argument))
            .collect::<Result<_, _>>()?;
        let name = match frame.function.callee_name(inst) {
            Some(name) => name.to_owned(),
            None => {
                let callee = data.callee().ok_or_else(|| Stop::unsupported("a call of nothing"))?;
                let callee = self.operand(frame, callee)?;
                self.function_at(&callee)?
            }
        };
        match self.functions.get(name.as_str()) {
            Some(&function) => self.call_function(function, arguments, Some((frame.context, inst))),
            None => self.call_library(frame, inst, &name, arguments),
        }
    }

    fn function_at(&mut self, pointer: &Value) -> Result<String, Stop> {
        for byte in &pointer.0 {
            self.trace.mark_use(byte.node, Uses::POINTER);
        }
        let address = bits(&pointer.0)? as u64;
        self.function_names
            .get(&address)
            .cloned()
            .ok_or_else(|| Stop::undefined("no function at this address"))
    }
}
