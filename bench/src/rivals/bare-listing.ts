import { createServer } from 'node:http'
import fs from 'node:fs'
import path from 'node:path'

/** The minimum that a Node server does to list a folder: read it, stat every entry, answer JSON, unsorted. */
const [folder = '', port = '0'] = process.argv.slice(2)
createServer((req, res) => {
  const target = path.join(folder, path.basename(req.url ?? ''))
  const items = fs.readdirSync(target).map((name) => {
    const { size, mtimeMs } = fs.lstatSync(path.join(target, name))
    return { name, size, time: Math.floor(mtimeMs / 1000) }
  })
  res.end(JSON.stringify(items))
}).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('ready\n')
})
