import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { uploadFilter } from './upload-filter.ts'

const OFF = {
  ...{ forbidClientFilterSwitch: 0, transIgnoreRegSwitch: 0, transIgnoreReg: '' },
  ...{ transIgnoreSizeSwitch: 0, transIgnoreSize: 0, transSkipSameName: 0 },
}
const GROUP = { ...OFF, groupId: 7, transIgnoreRegSwitch: 1, transIgnoreReg: '*.raw', forbidClientFilterSwitch: 1 }
const USER = {
  ...OFF,
  ...{ transIgnoreRegSwitch: 1, transIgnoreReg: ' *.tmp ;; [z-a] ;~*', transIgnoreSizeSwitch: 1, transIgnoreSize: 3 },
  transSkipSameName: 1,
  groupList: [{ ...OFF, groupId: 5 }, GROUP],
}

describe('what an upload leaves out', () => {
  it('is what the account says, without what is no pattern', () => {
    const own = { exclude: ['*.tmp', '~*'], maxBytes: 3 * MiB, skipsSameName: true, isLocked: false }
    expect(uploadFilter(USER, 0)).toEqual(own)
    // A group of somebody else.
    expect(uploadFilter(USER, 6)).toEqual(own)
  })

  it('is what the group says inside a group, and nothing of the account', () => {
    const group = { exclude: ['*.raw'], maxBytes: undefined, skipsSameName: false, isLocked: true }
    expect(uploadFilter(USER, 7)).toEqual(group)
    expect(uploadFilter(USER, 5)).toEqual({ ...group, exclude: [], isLocked: false })
  })

  it('is nothing where the switches are off, whatever stands beside them', () => {
    const off = { ...USER, transIgnoreRegSwitch: 0, transIgnoreSizeSwitch: 0, transSkipSameName: 0 }
    expect(uploadFilter(off, 0)).toEqual({ exclude: [], maxBytes: undefined, skipsSameName: false, isLocked: false })
  })
})
