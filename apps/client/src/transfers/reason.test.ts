import { ERRORS } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/sdk'
import { TransferError } from '@godwit/transfer'
import { RefusedError } from '@godwit/transport/node'
import { expect, it } from 'vitest'
import { reasonOf } from './reason.ts'

it('keeps the code of why a transfer failed, so that each page says it in its language', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8091'), { code: 'ECONNREFUSED' })
  expect(reasonOf(new TransferError('DISK_FULL', { free: 1 }))).toBe('DISK_FULL')
  expect(reasonOf(new ApiError({ code: ERRORS.PERMISSION_DENIED.wire, message: 'No.' }))).toBe('PERMISSION_DENIED')
  expect(reasonOf(refused)).toBe('ECONNREFUSED')
  expect(reasonOf(new ApiError({ code: 0, message: 'no answer' }, { cause: refused }))).toBe('ECONNREFUSED')
  expect(reasonOf(new RefusedError('never TICKET_INVALID'))).toBe('never TICKET_INVALID')
  expect(reasonOf('what')).toBe('unknown error')
})
