; A person who tidies a home: rooms, furniture that opens, appliances, things to carry.
(define (domain household)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types
    room thing - object
    item fixture - thing
    surface container sink - fixture
    appliance - container)
  (:predicates
    (in-room ?room - room)
    (next-to ?room - room ?other - room)
    (stands-in ?fixture - fixture ?room - room)
    (on ?item - item ?surface - surface)
    (inside ?item - item ?container - container)
    (holding ?item - item)
    (hand-free)
    (open ?container - container)
    (running ?container - container)
    (clean ?item - item))
  (:functions (total-cost) - number)

  (:action walk
    :parameters (?from - room ?to - room)
    :precondition (and (in-room ?from) (next-to ?from ?to))
    :effect (and
      (not (in-room ?from)) (in-room ?to)
      (increase (total-cost) 2)))

  (:action open-up
    :parameters (?container - container ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?container ?room) (hand-free)
      (not (open ?container)) (not (running ?container)))
    :effect (and (open ?container) (increase (total-cost) 1)))

  (:action shut
    :parameters (?container - container ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?container ?room) (hand-free)
      (open ?container))
    :effect (and (not (open ?container)) (increase (total-cost) 1)))

  (:action take-off
    :parameters (?item - item ?surface - surface ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?surface ?room) (hand-free)
      (on ?item ?surface))
    :effect (and
      (not (on ?item ?surface)) (not (hand-free)) (holding ?item)
      (increase (total-cost) 1)))

  (:action put-on
    :parameters (?item - item ?surface - surface ?room - room)
    :precondition (and (in-room ?room) (stands-in ?surface ?room) (holding ?item))
    :effect (and
      (not (holding ?item)) (hand-free) (on ?item ?surface)
      (increase (total-cost) 1)))

  (:action take-out
    :parameters (?item - item ?container - container ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?container ?room) (hand-free)
      (open ?container) (inside ?item ?container))
    :effect (and
      (not (inside ?item ?container)) (not (hand-free)) (holding ?item)
      (increase (total-cost) 1)))

  (:action put-in
    :parameters (?item - item ?container - container ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?container ?room)
      (open ?container) (holding ?item))
    :effect (and
      (not (holding ?item)) (hand-free) (inside ?item ?container)
      (increase (total-cost) 1)))

  (:action wash
    :parameters (?item - item ?sink - sink ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?sink ?room)
      (holding ?item) (not (clean ?item)))
    :effect (and (clean ?item) (increase (total-cost) 3)))

  (:action switch-on
    :parameters (?appliance - appliance ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?appliance ?room) (hand-free)
      (not (open ?appliance)) (not (running ?appliance)))
    :effect (and (running ?appliance) (increase (total-cost) 1)))

  (:action switch-off
    :parameters (?appliance - appliance ?room - room)
    :precondition (and
      (in-room ?room) (stands-in ?appliance ?room) (hand-free)
      (running ?appliance))
    :effect (and (not (running ?appliance)) (increase (total-cost) 1))))
