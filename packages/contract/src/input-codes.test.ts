import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { transferRoutes } from './exchange/transfers.ts'
import { departmentRoutes } from './identity/console-departments.ts'
import { adminMountRoutes } from './identity/console-mounts.ts'
import { adminUserRoutes } from './identity/console-users.ts'
import { inputCodesOf, inputFault } from './input-codes.ts'
import { databaseRoutes } from './oversight/database.ts'
import { hookRoutes } from './oversight/hooks.ts'

function faultOf(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value)
  if (parsed.success) throw new Error('nothing is wrong with it')
  return inputFault(parsed.error)
}

const HOOK = { kind: 'webhook', name: 'n', url: 'https://h.example/', events: ['file.committed'] }
const DATABASE = { address: 'db', name: 'godwit', account: 'godwit', password: '' }

describe('an input that the specification has a code for', () => {
  it.each([
    ['a name', departmentRoutes.add.body, { name: 'x'.repeat(65) }, 'NAME_TOO_LONG', { field: 'name', max: 64 }],
    [
      'a display name',
      adminUserRoutes.add.body,
      { account: 'mei', name: 'x'.repeat(33) },
      'NAME_TOO_LONG',
      { field: 'name', max: 32 },
    ],
    ['a remark', hookRoutes.add.body, { ...HOOK, remark: 'x'.repeat(1025) }, 'REMARK_TOO_LONG', { max: 1024 }],
    [
      'a list',
      adminUserRoutes.add.body,
      { account: 'mei', loginAddresses: '1'.repeat(256) },
      'LIST_TOO_LONG',
      { max: 255 },
    ],
    ['a port', databaseRoutes.try.body, { ...DATABASE, port: 65_536 }, 'PORT_INVALID', { field: 'port' }],
    ['no port', databaseRoutes.try.body, { ...DATABASE, port: 'http' }, 'PORT_INVALID', { field: 'port' }],
    ['a bandwidth', transferRoutes.limit.body, { rateMbps: -1 }, 'BANDWIDTH_INVALID', { field: 'rateMbps' }],
    ['no storage', adminMountRoutes.add.body, { alias: 'a', path: '/' }, 'STORAGE_ID_MISSING', { field: 'storageId' }],
  ] as const)('is refused with it: %s', (_what, schema, value, code, data) => {
    expect(faultOf(schema, value)).toMatchObject({ code, data })
  })

  it.each([
    [adminUserRoutes.add.body, ['NAME_TOO_LONG', 'LIST_TOO_LONG', 'BANDWIDTH_INVALID']],
    [databaseRoutes.try.body, ['PORT_INVALID']],
    [adminMountRoutes.add.body, ['STORAGE_ID_MISSING']],
    [transferRoutes.limit.body, ['BANDWIDTH_INVALID']],
    [transferRoutes.limit.params, []],
  ])('is found in the schema of a route', (schema, codes) => {
    expect(inputCodesOf(schema)).toEqual(codes)
  })

  it('leaves every other one to the general code, with field and rule', () => {
    const fault = faultOf(transferRoutes.limit.body, { rateMbps: 1, other: 2 })
    expect(fault).toMatchObject({
      code: 'PARAMETER_INVALID',
      data: { rule: expect.stringContaining('other') as string },
    })
  })
})
