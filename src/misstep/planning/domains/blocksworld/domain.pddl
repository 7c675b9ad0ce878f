; Towers of blocks, one hand, four actions.
(define (domain blocksworld-4ops)
  (:requirements :strips)
  (:predicates
    (on ?upper ?lower)
    (ontable ?block)
    (clear ?block)
    (handempty)
    (holding ?block))

  (:action pick-up
    :parameters (?block)
    :precondition (and (ontable ?block) (clear ?block) (handempty))
    :effect (and
      (not (ontable ?block)) (not (clear ?block)) (not (handempty))
      (holding ?block)))

  (:action put-down
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and
      (not (holding ?block))
      (ontable ?block) (clear ?block) (handempty)))

  (:action stack
    :parameters (?block ?target)
    :precondition (and (holding ?block) (clear ?target))
    :effect (and
      (not (holding ?block)) (not (clear ?target))
      (on ?block ?target) (clear ?block) (handempty)))

  (:action unstack
    :parameters (?block ?target)
    :precondition (and (on ?block ?target) (clear ?block) (handempty))
    :effect (and
      (not (on ?block ?target)) (not (clear ?block)) (not (handempty))
      (holding ?block) (clear ?target))))
