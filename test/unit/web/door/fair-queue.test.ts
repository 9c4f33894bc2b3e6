import { expect, it } from 'vitest';
import { FairQueue } from '../../../../src/web/door/fair-queue.ts';

function drain(queue: FairQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let job = queue.next(); job !== undefined; job = queue.next()) taken.push(job);
  return taken;
}

it('serves owners alternately, and the jobs of an owner in order', () => {
  const queue = new FairQueue<string>(10);
  for (const job of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(job.charAt(0), job);

  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

it('drops the newest job of the owner with the most jobs when it is full', () => {
  const queue = new FairQueue<string>(3);

  const dropped = ['a1', 'a2', 'a3', 'a4', 'b1'].map((job) => queue.add(job.charAt(0), job));

  expect(dropped).toEqual([undefined, undefined, undefined, 'a4', 'a3']);
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2']);
});

it('removes a waiting job once', () => {
  const queue = new FairQueue<string>(3);
  queue.add('a', 'a1');
  queue.add('a', 'a2');

  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'a2')]).toEqual([true, false, false]);
  expect(drain(queue)).toEqual(['a2']);
});

it('has room again after a job was removed or dropped', () => {
  const queue = new FairQueue<string>(2);
  const add = (job: string) => queue.add(job.charAt(0), job);

  const first = add('a1');
  queue.remove('a', 'a1');
  const dropped = ['b1', 'c1', 'd1'].map(add);
  queue.next();
  const last = add('e1');

  // If several owners have equally many jobs, the first owner loses a job.
  expect([first, ...dropped, last]).toEqual([undefined, undefined, undefined, 'b1', undefined]);
  expect(drain(queue)).toEqual(['d1', 'e1']);
});

it('drops every job if it has no room', () => {
  const queue = new FairQueue<string>(0);

  expect(['a1', 'a2'].map((job) => queue.add('a', job))).toEqual(['a1', 'a2']);
  expect(queue.next()).toBeUndefined();
});
