export { FrameReader, frameHead, MAX_FRAME_BYTES, type DecodeAnswer, type FileRequest } from './frames.ts'
export { PictureFault } from './picture-fault.ts'
export { serveDecoder } from './serve-decoder.ts'
