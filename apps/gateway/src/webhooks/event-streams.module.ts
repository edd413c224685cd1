import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { PeopleModule } from '../people/people.module.js';
import { EventStreams } from './event-streams.js';

/** Events that open pages follow. */
@Module({
  imports: [CallsModule, PeopleModule],
  providers: [EventStreams],
  exports: [EventStreams],
})
export class EventStreamsModule {}
