import fs from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../kernel/folders.ts'

/** Folders of restore drills; one that a crash left is removed before the next. */
export const DRILL_PREFIX = '.drill-'
const ARCHIVE = /^godwit-[\d-]+T[\d-]+Z\.tar(?:\.part)?$/

/** Where scheduled archives are kept: `wanted`, or a folder in the data folder. */
export function backupFolder(data: string, wanted: string): string {
  return path.resolve(wanted === '' ? path.join(data, 'backups') : wanted)
}

/** Path of an archive that begins now. To the millisecond: one that is begun right after another never takes its name. */
export function backupPath(folder: string, now: number): string {
  const moment = new Date(now).toISOString().slice(0, 23).replaceAll(/[:.]/g, '-')
  return path.join(folder, `godwit-${moment}Z.tar`)
}

/** Makes the folder, for this account of the system alone, and removes what a crash left in it. */
export function prepareBackupFolder(folder: string): void {
  makeFolder(folder)
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith(DRILL_PREFIX) || (ARCHIVE.test(name) && name.endsWith('.part')))
      fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

/** Whether one folder is within the other, or the same. */
export function isWithin(folder: string, outer: string): boolean {
  const below = path.relative(path.resolve(outer), path.resolve(folder))
  return below === '' || (!below.startsWith('..') && !path.isAbsolute(below))
}

/** @returns undefined when it is gone */
export function backupSize(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size
}

export function removeBackupFile(file: string): void {
  fs.rmSync(file, { force: true })
}
