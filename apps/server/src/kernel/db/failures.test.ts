import { describe, expect, it } from 'vitest'
import { toAppError } from '../errors.ts'
import { databaseFailure } from './failures.ts'

const failure = (fields: object, message = 'from the driver'): Error => Object.assign(new Error(message), fields)

describe('a failure of the database', () => {
  it.each([
    ['a refused connection', { code: 'ECONNREFUSED', fatal: true }, 'DATABASE_UNAVAILABLE'],
    ['a connection that the server closed', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }, 'DATABASE_UNAVAILABLE'],
    ['a command on a closed connection, which has no code', { fatal: true }, 'DATABASE_UNAVAILABLE'],
    ['a server that shuts down', { code: 'ER_SERVER_SHUTDOWN', fatal: false }, 'DATABASE_UNAVAILABLE'],
    ['a killed connection', { code: 'ER_CONNECTION_KILLED' }, 'DATABASE_UNAVAILABLE'],
    ['a read-only server', { code: 'ER_OPTION_PREVENTS_STATEMENT' }, 'DATABASE_UNAVAILABLE'],
    ['a full disk of the server', { code: 'ER_DISK_FULL' }, 'STORAGE_FULL'],
    ['a locked file', { code: 'SQLITE_BUSY' }, 'DATABASE_UNAVAILABLE'],
    ['a file under recovery', { code: 'SQLITE_BUSY_RECOVERY' }, 'DATABASE_UNAVAILABLE'],
    ['a failed write', { code: 'SQLITE_IOERR_WRITE' }, 'DATABASE_UNAVAILABLE'],
    ['a read-only file', { code: 'SQLITE_READONLY' }, 'STORAGE_READ_ONLY'],
    ['a read-only folder', { code: 'SQLITE_READONLY_DIRECTORY' }, 'STORAGE_READ_ONLY'],
    ['a file that was moved away', { code: 'SQLITE_READONLY_DBMOVED' }, 'DATABASE_UNAVAILABLE'],
    ['a file that cannot be opened', { code: 'SQLITE_CANTOPEN' }, 'DATABASE_UNAVAILABLE'],
    ['a full disk', { code: 'SQLITE_FULL' }, 'STORAGE_FULL'],
  ])('is told apart: %s', (_name, fields, code) => {
    expect(databaseFailure(failure(fields))).toBe(code)
    const answer = toAppError(new Error('a step failed', { cause: failure(fields) }))
    expect(answer.code).toBe(code)
    expect(answer.status).toBe(code === 'STORAGE_FULL' ? 507 : 503)
  })

  it.each([
    ['a duplicate', { code: 'ER_DUP_ENTRY', fatal: false }],
    ['a wrong statement', { code: 'SQLITE_ERROR' }],
    ['a socket that is not the database’s', { code: 'ECONNRESET' }],
  ])('is not %s', (_name, fields) => {
    expect(databaseFailure(failure(fields))).toBeUndefined()
    expect(toAppError(failure(fields)).code).toBe('INTERNAL')
  })
})
