// Makes a program believe that it runs on an older Node.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })
Object.defineProperty(process, 'version', { value: 'v20.0.0' })
