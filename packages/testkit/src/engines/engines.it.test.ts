import { once } from 'node:events'
import { createConnection } from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { connect } from 'node:net'
import { mariadbUrl, redisUrl, s3Access } from './index.ts'

describe('the engines of the tests', () => {
  it('give every test a MariaDB database of its own', async () => {
    const urls = [await mariadbUrl(), await mariadbUrl()]
    expect(new Set(urls).size).toBe(2)
    for (const url of urls) {
      const connection = await createConnection(url)
      await connection.query('CREATE TABLE birds (name VARCHAR(20) PRIMARY KEY)')
      await connection.end()
    }
  })

  it('give a Redis that answers', async () => {
    const { hostname, port } = new URL(await redisUrl())
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [string]
    expect(answer).toBe('+PONG\r\n')
    socket.destroy()
  })

  it('give an S3 service that answers', async () => {
    const { endpoint } = await s3Access()
    const answer = await fetch(endpoint)
    expect(await answer.text()).toContain('ListAllMyBucketsResult')
  })
})
