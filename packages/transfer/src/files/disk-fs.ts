import type * as fs from 'node:fs'

/** The part of node:fs that transfers use; an argument, so that tests can make it fail. */
export type DiskFs = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fstatSync'
  | 'lstatSync'
  | 'ftruncateSync'
  | 'futimesSync'
  | 'fchmodSync'
  | 'fdatasyncSync'
  | 'fsyncSync'
  | 'renameSync'
  | 'mkdirSync'
  | 'unlinkSync'
  | 'readFileSync'
  | 'statSync'
  | 'statfsSync'
  | 'opendirSync'
  | 'symlinkSync'
  | 'lutimesSync'
> & {
  /** Makes everything durable that was written to the file system of an open file; where the platform can. */
  readonly syncFilesystem?: (handle: number) => void
}
