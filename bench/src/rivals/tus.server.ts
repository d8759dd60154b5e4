import { createServer } from 'node:http'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

const [directory = '', port = '0'] = process.argv.slice(2)
const tusServer = new Server({ path: '/files', datastore: new FileStore({ directory }), relativeLocation: true })
createServer((req, res) => void tusServer.handle(req, res)).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('ready\n')
})
