import { ERRORS, type ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import { isTemporary } from './failures.ts'

const refusal = (name: ErrorName, status = 400): ApiError =>
  new ApiError({ code: ERRORS[name].wire, status, message: name })

describe('whether a refusal is tried again', () => {
  it.each([
    ['of a caller that was too slow to send its headers', refusal('REQUEST_TIMEOUT', 408), true],
    ['of a server from before that code', refusal('PARAMETER_INVALID', 408), true],
    ['of too many calls', refusal('RATE_LIMITED', 429), true],
    ['of a server that stops', refusal('SERVICE_STOPPING', 503), true],
    ['of an upload that another connection writes to', refusal('UPLOAD_BUSY'), true],
    ['of input that will never be right', refusal('PARAMETER_INVALID'), false],
    ['of a caller without the right', refusal('PERMISSION_DENIED'), false],
    ['that is no answer of a server', new TypeError('a fault of our own'), false],
  ])('%s', (_, error, isAgain) => {
    expect(isTemporary(error)).toBe(isAgain)
  })
})
