import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { JobSite } from './testing/job-site.ts'

for (const { dialect, open } of DATABASES) {
  describe(`jobs act on what their owner saw, on ${dialect}`, () => {
    let site: JobSite
    beforeAll(async () => (site = await JobSite.open(await open())))
    beforeEach(async () => {
      await site.nextAccount()
      await site.intake.upload(bytes(10, 1), { filename: 'report' })
      await site.intake.upload(bytes(10, 1), { relativePath: 'folder/inside' })
      fs.mkdirSync(onDisk('target'))
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const onDisk = (name: string) => site.intake.onDisk(name)
    const jobs = [
      ['remove', {}],
      ['move', { target: '/target' }],
      ['copy', { target: '/target' }],
    ] as const

    it.each(jobs)('%s leaves a file and a folder that took the names before it ran', async (name, more) => {
      await site.call(name, { paths: ['/report', '/folder'], ...more })
      // The process dies before the job begins, and somebody puts other things there.
      fs.renameSync(onDisk('report'), onDisk('elsewhere'))
      fs.renameSync(onDisk('folder'), onDisk('other folder'))
      await site.intake.upload(bytes(10, 2), { filename: 'report' })
      await site.intake.upload(bytes(10, 2), { relativePath: 'folder/new' })
      await site.restart()
      expect(await site.runJobs()).toEqual(['/report FILE_CHANGED', '/folder FILE_CHANGED'])
      expect(site.intake.read('report').equals(bytes(10, 2))).toBe(true)
      expect(site.intake.read('folder/new').equals(bytes(10, 2))).toBe(true)
      expect(fs.readdirSync(onDisk('target'))).toEqual([])
    })

    it.each(jobs)('%s leaves a file whose content was replaced before it ran', async (name, more) => {
      await site.call(name, { paths: ['/report'], ...more })
      await site.intake.upload(bytes(10, 3), { filename: 'report', conflict: 'replace' })
      await site.restart()
      expect(await site.runJobs()).toEqual(['/report FILE_CHANGED'])
      expect(site.intake.read('report').equals(bytes(10, 3))).toBe(true)
    })

    it.each(jobs)('%s takes a folder with what came to be in it', async (name, more) => {
      await site.call(name, { paths: ['/folder'], ...more })
      await site.intake.upload(bytes(10, 4), { relativePath: 'folder/later' })
      await site.restart()
      expect(await site.runJobs()).toEqual([])
      expect(fs.existsSync(onDisk('folder'))).toBe(name === 'copy')
      if (name !== 'remove') expect(fs.readdirSync(onDisk('target/folder')).toSorted()).toEqual(['inside', 'later'])
    })
  })
}
