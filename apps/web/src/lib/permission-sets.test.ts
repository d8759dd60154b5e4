import { FULL_PERMISSION, PERMISSION } from '@godwit/contract/permissions'
import { describe, expect, it } from 'vitest'
import { GRANTABLE, grantableOf, permissionSet } from './permission-sets.ts'

describe('the rights of an API token', () => {
  it('are every flag but the two unused ones', () => expect(permissionSet(GRANTABLE)).toBe(FULL_PERMISSION))

  it('offer only what the account itself may', () =>
    expect(grantableOf(PERMISSION.cwd | PERMISSION.append | PERMISSION.list | PERMISSION.upload)).toEqual([
      'list',
      'upload',
    ]))

  it('offer nothing to an account that is denied', () =>
    expect(grantableOf(PERMISSION.cwd | PERMISSION.append)).toEqual([]))
})
