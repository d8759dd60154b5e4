import type { OperationReply } from '@godwit/contract'

export type PreviewFile = OperationReply<'preview'>

export interface ViewProps {
  readonly file: PreviewFile
  /** The content is not what it seemed to be, or this browser does not draw it. */
  readonly onBroken: (error?: unknown) => void
}
