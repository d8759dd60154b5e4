import { once } from 'node:events'
import { launchBucketService, run } from '@godwit/testkit'

/**
 * `node bucket.ts DATA`: an S3 service in this network namespace, as the only storage of a server that was never started. Prints `ready`; a
 * line `PATH COPY` from standard input copies what is stored at a path into a local file and is answered with `copied`. Ends with its input.
 */
const [data = ''] = process.argv.slice(2)
const service = await launchBucketService('s3')
try {
  await service.adopt(data)
  process.stdout.write('ready\n')
  process.stdin.on('data', (line: Buffer) => {
    const [path = '', copy = ''] = line.toString().trim().split(' ')
    void run(service.rclone('copyto', service.pathOf(path), copy)).then(
      () => process.stdout.write('copied\n'),
      (error: unknown) => process.stdout.write(`${String(error).split('\n', 1)[0]}\n`),
    )
  })
  await once(process.stdin, 'end')
} finally {
  await service.stop()
}
