//! Memory: allocations of bytes far apart, so that an address says which one is meant.

use super::Stop;
use super::value::Byte;

/// Where the first allocation starts, and how far apart they are at least.
const FIRST_ADDRESS: u64 = 0x10_0000;
const GAP: u64 = 64;

#[derive(Debug, Default)]
pub(crate) struct Memory {
    allocations: Vec<Allocation>,
}

#[derive(Debug)]
struct Allocation {
    start: u64,
    bytes: Vec<Byte>,
    live: bool,
}

impl Memory {
    /// Memory of these first contents; addresses are never used again.
    pub(crate) fn allocate(&mut self, bytes: Vec<Byte>) -> u64 {
        let end =
            self.allocations.last().map_or(FIRST_ADDRESS, |last| last.start + last.bytes.len() as u64 + GAP);
        let start = end.next_multiple_of(16);
        self.allocations.push(Allocation { start, bytes, live: true });
        start
    }

    /// Ends the life of an allocation.
    pub(crate) fn free(&mut self, address: u64) -> Result<(), Stop> {
        match self.allocations.binary_search_by_key(&address, |allocation| allocation.start) {
            Ok(index) if self.allocations[index].live => {
                self.allocations[index].live = false;
                Ok(())
            }
            Ok(_) => Err(Stop::undefined("memory is freed twice")),
            Err(_) => Err(Stop::undefined("what is freed is no allocation")),
        }
    }

    /// Bytes at an address.
    pub(crate) fn bytes(&mut self, address: u64, size: usize) -> Result<&mut [Byte], Stop> {
        let after = self.allocations.partition_point(|allocation| allocation.start <= address);
        let allocation = after.checked_sub(1).map(|index| &mut self.allocations[index]);
        let Some(allocation) = allocation.filter(|allocation| allocation.live) else {
            return Err(Stop::undefined("no memory at this address"));
        };
        let offset = (address - allocation.start) as usize;
        let range = offset..offset.saturating_add(size);
        allocation.bytes.get_mut(range).ok_or_else(|| Stop::undefined("beyond the end of an allocation"))
    }

    /// All bytes of the allocation that starts at an address.
    pub(crate) fn allocation(&self, address: u64) -> &[Byte] {
        match self.allocations.binary_search_by_key(&address, |allocation| allocation.start) {
            Ok(index) => &self.allocations[index].bytes,
            Err(_) => &[],
        }
    }
}
