/** What a job wants to know of a step, also when it is cut short. Plain JSON: it is written down with the step. */
export interface StepNote {
  readonly kind: 'made' | 'fill'
  readonly seq: number
  /** Path that an entry was made from, and its own, as the job names them. */
  readonly from: string
  readonly to: string
  /** What is noted of what is in a folder: a mark of it, or all of it. */
  readonly look: 'nothing' | 'mark' | 'lines'
  /** What the folder had in it before, see shapeOf(). */
  readonly shape?: string
  /** Versions that a replaced file had. */
  readonly older?: readonly string[]
}
