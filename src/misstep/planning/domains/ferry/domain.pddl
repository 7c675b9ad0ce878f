; One ferry that takes one car at a time.
(define (domain ferry)
  (:requirements :strips :typing)
  (:types car harbour)
  (:predicates
    (at-ferry ?harbour - harbour)
    (at ?car - car ?harbour - harbour)
    (on ?car - car)
    (empty-ferry))

  (:action board
    :parameters (?car - car ?harbour - harbour)
    :precondition (and (at ?car ?harbour) (at-ferry ?harbour) (empty-ferry))
    :effect (and (on ?car) (not (at ?car ?harbour)) (not (empty-ferry))))

  (:action debark
    :parameters (?car - car ?harbour - harbour)
    :precondition (and (on ?car) (at-ferry ?harbour))
    :effect (and (at ?car ?harbour) (empty-ferry) (not (on ?car))))

  (:action sail
    :parameters (?from - harbour ?to - harbour)
    :precondition (at-ferry ?from)
    :effect (and (at-ferry ?to) (not (at-ferry ?from)))))
