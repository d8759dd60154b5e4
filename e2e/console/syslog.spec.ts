import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, startSession, withOwnServer } from '../portal/fixtures.ts'

// Where the logs go is a matter of the whole site.
const test = withOwnServer()

/** A collector that hangs up when it has read everything. */
async function listen(port: number, messages: string[]): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => void messages.push(chunk.toString()))
    socket.on('end', () => socket.end())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test('an administrator sees whether the syslog collector takes the logs, and tries it', async ({
  page: admin,
  godwit,
}) => {
  const messages: string[] = []
  const first = await listen(0, messages)
  const { port } = first.address() as AddressInfo
  await startSession(admin, { url: godwit.url, administrator: godwit.administrator })
  await admin.goto('/admin/settings/log')
  const state = admin.getByRole('region', { name: 'Syslog collector' })
  await expect(state).toContainText('Nowhere. Choose above how they are sent, and save.')
  await expectNoBarriers(admin)

  await admin.locator('[name="syslog.transport"]').selectOption('Over TCP')
  await admin.locator('[name="syslog.host"]').fill('127.0.0.1')
  await admin.locator('[name="syslog.port"]').fill(String(port))
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(state).toContainText(`127.0.0.1:${port} over TCP`)
  await state.getByRole('button', { name: 'Send a test message' }).click()
  await expect(state).toContainText('The message was sent.')
  await expect.poll(() => messages.some((message) => message.includes(' test '))).toBe(true)
  await expect(state).toContainText('Takes messages')
  await expect(state).toContainText('Nothing is waiting')

  first.close()
  await once(first, 'close')
  await admin.setViewportSize({ width: 390, height: 844 })
  await state.getByRole('button', { name: 'Send a test message' }).click()
  await expect(state.getByText('Nothing answers at this address and port.').last()).toBeVisible()
  await expect(state).toContainText('Does not take messages')
  await expect(state).toContainText(/\d+ messages? (is|are) waiting/)
  await expectNoBarriers(admin)
  const again = await listen(port, messages)
  await expect(state).toContainText('Takes messages')
  again.close()
})
