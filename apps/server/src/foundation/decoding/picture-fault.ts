import type { Fault } from './frames.ts'

/** Why a picture is not made. */
export class PictureFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}
