import { describe, expect, it } from 'vitest'
import { databaseUrl, shownDatabaseUrl, withoutDatabasePassword } from './database-url.ts'

const mysql = (url: string) => ({ data: '/srv', 'database.url': url })

describe('the name of the database', () => {
  it('is a file in the data folder unless a server is configured', () => {
    expect(databaseUrl(mysql(''))).toBe('sqlite:/srv/godwit.db')
    expect(shownDatabaseUrl(mysql(''))).toBe('sqlite:/srv/godwit.db')
  })
  it.each([
    ['mysql://godwit:p%40ss@db:3306/files', 'mysql://godwit:********@db:3306/files'],
    ['mysql://godwit@db/files', 'mysql://godwit@db/files'],
    ['mysql://files:secret@db:port/x', 'mysql://********'],
  ])('%s is shown as %s', (url, shown) => expect(shownDatabaseUrl(mysql(url))).toBe(shown))
  it('never carries its password into a message, in either spelling', () => {
    const text = 'refused: p@ss, p%40ss'
    expect(withoutDatabasePassword(text, mysql('mysql://g:p%40ss@db/x'))).toBe('refused: ********, ********')
    expect(withoutDatabasePassword('no secret here', mysql(''))).toBe('no secret here')
  })
})
