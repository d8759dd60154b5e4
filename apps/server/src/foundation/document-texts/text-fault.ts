/** Why a document has no text. The words are kept with it. */
export const TEXT_FAULTS = ['unsupported', 'unreadable', 'too-large', 'protected', 'empty'] as const
export type TextFaultReason = (typeof TEXT_FAULTS)[number]

export class TextFault extends Error {
  readonly reason: TextFaultReason

  constructor(reason: TextFaultReason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
