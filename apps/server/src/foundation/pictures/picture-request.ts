import type { FileRequest } from '../decoding/index.ts'

/** What is burnt into a picture. */
export interface Mark {
  /** One line; '' for none. */
  readonly text: string
  /** A PNG or JPEG in base64; absent: none. */
  readonly image?: string
  /** 0: all over the picture; 1 to 9: the fields of a grid of three by three, row by row. */
  readonly position: number
  /** Hundredths. */
  readonly opacity: number
}

/** What the decoder of pictures is asked. */
export interface DecodeRequest extends FileRequest {
  readonly edge: number
  readonly mark?: Mark
  /** The picture itself is wanted instead, in its own size, made anew in this format and without anything else that was in its file. */
  readonly redrawn?: 'png' | 'jpeg'
  /** A page of a document is wanted: counted from 1; 0: the description of all pages, as JSON. */
  readonly page?: number
}
