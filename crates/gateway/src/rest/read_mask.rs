//! The fields of items that a request asks for with `read_mask` (AIP-157): JSON leaves the others out.

use invoicing_contract::field_mask::{FieldMask, FieldSelection};
use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor};

use super::message_writer::Fields;

/// The mask of an operation that lists items.
pub(super) struct ReadMask {
    mask: FieldDescriptor,
    /// The number of the field with the items.
    items: u32,
    item: MessageDescriptor,
}

/// The fields of items that a request asks for.
pub(super) struct ReadFields {
    items: u32,
    fields: FieldSelection,
}

impl ReadMask {
    /// `None` if the operation has no mask.
    pub(super) fn of(method: &MethodDescriptor) -> Option<Self> {
        let mask = method.input().get_field_by_name("read_mask")?;
        let items = method.output().get_field_by_name("items")?;
        let Kind::Message(item) = items.kind() else {
            return None;
        };
        Some(Self {
            mask,
            items: items.number(),
            item,
        })
    }

    /// What a request asks for; `None` for everything, and if the mask is wrong, which the operation refuses.
    pub(super) fn read(&self, request: &DynamicMessage) -> Option<ReadFields> {
        if !request.has_field(&self.mask) {
            return None;
        }
        let mask = request.get_field(&self.mask);
        let mask = mask.as_message()?.encode_to_vec();
        let mask = FieldMask::decode(mask.as_slice()).ok()?;
        let fields = FieldSelection::read(&self.item, &mask).ok()??;
        Some(ReadFields {
            items: self.items,
            fields,
        })
    }
}

impl ReadFields {
    /// The fields of the answer.
    pub(super) fn of_answer(&self) -> Fields<'_> {
        Fields::Of(self.items, &self.fields)
    }
}
