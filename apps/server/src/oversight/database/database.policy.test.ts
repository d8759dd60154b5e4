import { describe, expect, it } from 'vitest'
import { serverVersion } from './database.policy.ts'

describe('the version of a database server', () => {
  it.each([
    ['8.0.36', 'MySQL', '8.0.36', true],
    ['8.4.0-commercial', 'MySQL', '8.4.0', true],
    ['5.7.44-log', 'MySQL', '5.7.44', false],
    ['10.11.6-MariaDB-0+deb12u1', 'MariaDB', '10.11.6', true],
    ['11.0.2-MariaDB', 'MariaDB', '11.0.2', true],
    ['10.6.18-MariaDB', 'MariaDB', '10.6.18', false],
    ['10.2.0-MariaDB', 'MariaDB', '10.2.0', false],
    ['unknown', 'MySQL', '', false],
  ])('%s is %s %s, supported: %s', (text, engine, version, isSupported) =>
    expect(serverVersion(text)).toEqual({ engine, version, isSupported }),
  )
})
