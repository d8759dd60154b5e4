/** The path of the job that is at work. */
export interface Current {
  readonly key: string
  /** Its place among the paths of the job, and its own path there. */
  readonly at: number
  readonly path: string
  /** The folder that takes it. */
  readonly into: string
  /** What its owner saw there. */
  readonly seen: string | undefined
  /** What has to be in the folder that goes back. */
  readonly tree: string
  /** Whether it goes to another place. */
  readonly isOut: boolean
}

export const NOTHING: Current = { key: '', into: '', at: -1, path: '', seen: undefined, tree: '', isOut: false }
