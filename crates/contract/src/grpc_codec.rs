//! The codec of the generated clients and servers: that of prost, which counts the values of a request before it decodes it.

use std::marker::PhantomData;

use prost::Message;
use prost::bytes::Buf as _;
use tonic::codec::{BufferSettings, Codec, DecodeBuf, Decoder};
use tonic_prost::{ProstDecoder, ProstEncoder};

use crate::request_values::{RequestValues, check_encoded};

/// Encodes messages of one type and decodes those of another. A request above the limits of its values is not decoded (decision
/// 0164). An answer is not counted: a client trusts its service.
#[derive(Debug, Clone, Copy)]
pub struct CountingCodec<Encoded, Decoded>(PhantomData<(Encoded, Decoded)>);

impl<Encoded, Decoded> Default for CountingCodec<Encoded, Decoded> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<Encoded, Decoded> Codec for CountingCodec<Encoded, Decoded>
where
    Encoded: Message + Send + 'static,
    Decoded: Message + RequestValues + Default + Send + 'static,
{
    type Encode = Encoded;
    type Decode = Decoded;
    type Encoder = ProstEncoder<Encoded>;
    type Decoder = CountingDecoder<Decoded>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Self::Decoder {
        CountingDecoder(ProstDecoder::default())
    }
}

/// The decoder of [`CountingCodec`].
#[derive(Debug, Clone)]
pub struct CountingDecoder<Decoded>(ProstDecoder<Decoded>);

impl<Decoded: Message + RequestValues + Default> Decoder for CountingDecoder<Decoded> {
    type Item = Decoded;
    type Error = tonic::Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Decoded>, tonic::Status> {
        if let Some(shape) = Decoded::SHAPE {
            // The whole message: tonic has put it, decompressed, into one piece.
            check_encoded(shape, buffer.chunk())?;
        }
        self.0.decode(buffer)
    }

    fn buffer_settings(&self) -> BufferSettings {
        self.0.buffer_settings()
    }
}
