import fs from 'node:fs'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { inParallel } from '../wire.ts'

const BLOCK = Buffer.alloc(8 * MiB, 0xa5)

/** What the disk takes: sequential writes of 8 MiB, each flushed. @returns MB/s */
export async function diskWriteSpeed(folder: string, size: number): Promise<number> {
  const file = path.join(folder, 'disk-limit.bin')
  const handle = await fs.promises.open(file, 'w')
  const begun = performance.now()
  for (let at = 0; at < size; at += BLOCK.length) {
    await handle.write(BLOCK, 0, BLOCK.length, at)
    await handle.datasync()
  }
  const seconds = (performance.now() - begun) / 1000
  await handle.close()
  fs.rmSync(file)
  return size / 1e6 / seconds
}

/** Small files made durable one by one, 16 at a time, as a careful program does it. @returns files/s */
export async function diskFileSpeed(folder: string, count: number, size: number): Promise<number> {
  const target = path.join(folder, 'disk-limit')
  fs.mkdirSync(target)
  const content = Buffer.alloc(size, 5)
  const begun = performance.now()
  await inParallel(count, 16, async (index) => {
    const part = path.join(target, `.f${index}.part`)
    const handle = await fs.promises.open(part, 'wx')
    await handle.write(content)
    await handle.datasync()
    await handle.close()
    await fs.promises.rename(part, path.join(target, `f${index}.bin`))
  })
  const folderHandle = await fs.promises.open(target)
  await folderHandle.sync()
  await folderHandle.close()
  const seconds = (performance.now() - begun) / 1000
  fs.rmSync(target, { recursive: true })
  return count / seconds
}
