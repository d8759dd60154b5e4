import fs from 'node:fs'
import type { ServerStatus } from '@godwit/contract'

/** What starts this process again when it ends, as far as it can be seen from inside. */
export function supervisor(): ServerStatus['supervisor'] {
  if (fs.existsSync('/.dockerenv') || fs.existsSync('/run/.containerenv')) return 'container'
  return supervisorIn(readGroups())
}

/** @param groups as `/proc/self/cgroup` has them; a service of systemd is in a group of its own name */
export function supervisorIn(groups: string): ServerStatus['supervisor'] {
  if (/[/-](?:docker|kubepods|lxc|libpod)[/-]/.test(groups)) return 'container'
  return /\.service$/m.test(groups) ? 'systemd' : 'none'
}

function readGroups(): string {
  try {
    return fs.readFileSync('/proc/self/cgroup', 'utf8')
  } catch {
    // Not Linux.
    return ''
  }
}

/** Whether a process can start its program anew here. */
export const CAN_RESTART = process.platform !== 'win32' && typeof process.execve === 'function'
