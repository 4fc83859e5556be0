//! The comments of the .proto files, as descriptions.

use std::collections::HashMap;

use prost_reflect::prost_types::FileDescriptorProto;
use prost_reflect::{
    DescriptorPool, EnumDescriptor, FieldDescriptor, MessageDescriptor, MethodDescriptor,
    ServiceDescriptor,
};

/// Comments by file and by the path of the element in its descriptor (`SourceCodeInfo.Location.path`).
pub(super) struct Comments(HashMap<(String, Vec<i32>), String>);

impl Comments {
    pub(super) fn of(pool: &DescriptorPool) -> Self {
        let files = pool.file_descriptor_protos();
        Self(files.flat_map(comments_of_file).collect())
    }

    pub(super) fn service(&self, service: &ServiceDescriptor) -> Option<&str> {
        self.at(service.parent_file().name(), service.path())
    }

    pub(super) fn method(&self, method: &MethodDescriptor) -> Option<&str> {
        self.at(method.parent_service().parent_file().name(), method.path())
    }

    pub(super) fn message(&self, message: &MessageDescriptor) -> Option<&str> {
        self.at(message.parent_file().name(), message.path())
    }

    pub(super) fn field(&self, field: &FieldDescriptor) -> Option<&str> {
        self.at(field.parent_message().parent_file().name(), field.path())
    }

    /// The comment of an enum, followed by those of its values.
    pub(super) fn enumeration(&self, kind: &EnumDescriptor) -> Option<String> {
        let file = kind.parent_file();
        let own = self.at(file.name(), kind.path()).map(str::to_owned);
        let values = kind.values().filter_map(|value| {
            let comment = self.at(file.name(), value.path())?;
            Some(format!("{}: {comment}", value.name()))
        });
        let all: Vec<_> = own.into_iter().chain(values).collect();
        (!all.is_empty()).then(|| all.join("\n\n"))
    }

    fn at(&self, file: &str, path: &[i32]) -> Option<&str> {
        self.0
            .get(&(file.to_owned(), path.to_vec()))
            .map(String::as_str)
    }
}

fn comments_of_file(
    file: &FileDescriptorProto,
) -> impl Iterator<Item = ((String, Vec<i32>), String)> {
    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
    locations.filter_map(|location| {
        let comment = location
            .leading_comments
            .as_ref()
            .or(location.trailing_comments.as_ref())?;
        let lines: Vec<_> = comment.lines().map(str::trim).collect();
        let key = (file.name().to_owned(), location.path.clone());
        Some((key, lines.join(" ").trim().to_owned()))
    })
}
